/** English: site. */

export const site = {};
