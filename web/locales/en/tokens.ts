/** English: tokens. */

export const tokens = {};
