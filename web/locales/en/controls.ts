/** English: controls. */

export const controls = {};
