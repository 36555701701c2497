/**
 * The maximum length of a URL, in characters: eight times the length of a link from the auth service with its
 * tokens.
 */
export const maxUrlLength = 8 * 1024
