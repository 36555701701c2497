/** From the strongest: signed by the wallet, by a mailed link, by a printed link. */
export const strengths = ['wallet', 'mail', 'print'] as const
export type Strength = (typeof strengths)[number]

/** What a recipient can say. */
export const answers = ['yes', 'but', 'no'] as const
export type Given = (typeof answers)[number]
