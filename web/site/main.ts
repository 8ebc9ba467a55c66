/** Starts the page: the elements register themselves, the page element ties them to the address. */
import "../elements/index.js";
import "./page.js";
