/** The page on which a holder shows a key. */
export const signingPath = '/transparency/wallets/sign'
