/** English: chain. */

export const chain = {};
