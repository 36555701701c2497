/** The amounts in US dollars that /donate offers. */
export const presets = [10, 20, 50] as const

/** The significant digits of an amount from a rate: few, because people type it into a wallet app. */
const digits = 4

/** The base units worth `dollars`, to four digits. `rate`: dollars of a whole token, such as '612.34'. */
export function unitsWorth(dollars: number, rate: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = rate.split('.')
  const units = (BigInt(dollars) * 10n ** BigInt(decimals + fraction.length)) / BigInt(whole + fraction)
  const step = 10n ** BigInt(Math.max(0, `${units}`.length - digits))
  return ((units + step / 2n) / step) * step
}

/** The offered amount that is nearest to the first number in a text; null if the text has no number. */
export function nearestPreset(text: string): number | null {
  const [number] = /-?\d[\d.,]*/.exec(text) ?? []
  if (!number) return null
  const wanted = Number.parseFloat(number.replaceAll(',', ''))
  const distance = (preset: number) => Math.abs(preset - wanted)
  // The subtractions are inexact for a large number, but the nearest amount to such a number is always the
  // largest.
  if (wanted > 1e6) return presets[2]
  return presets.reduce<number>(
    (best, preset) => (distance(preset) < distance(best) ? preset : best),
    presets[0],
  )
}
