/** Starts the page: its element ties the views to the address. */
import "./page.js";
