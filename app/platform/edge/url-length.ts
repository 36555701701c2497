/** A URL's maximum length in characters: eight times a link from the auth service with its tokens. */
export const maxUrlLength = 8 * 1024
