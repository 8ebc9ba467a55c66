/** English: own. */

export const own = {};
