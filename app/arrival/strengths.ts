/** From the strongest: signed by the wallet, by a mailed link, by a printed link. */
export const strengths = ['wallet', 'mail', 'print'] as const
export type Strength = (typeof strengths)[number]

/** What a recipient can say. */
export const answers = ['yes', 'but', 'no'] as const
export type Given = (typeof answers)[number]

/** What is known of a payment: the strongest answer, a no of any strength, or that its recipient was asked. */
export const arrivals = [...strengths, 'no', 'asked'] as const
export type Arrival = (typeof arrivals)[number]
