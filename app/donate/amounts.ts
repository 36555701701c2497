/** The amounts in US dollars that /donate offers. */
export const presets = [10, 20, 50] as const

/** The digits to which an amount by a rate is rounded: a wallet app asks people to type it. */
const digits = 4

/** The base units that are worth `dollars`, to four significant digits. `rate`: dollars for a whole token, '612.34'. */
export function unitsWorth(dollars: number, rate: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = rate.split('.')
  const units = (BigInt(dollars) * 10n ** BigInt(decimals + fraction.length)) / BigInt(whole + fraction)
  const step = 10n ** BigInt(Math.max(0, `${units}`.length - digits))
  return ((units + step / 2n) / step) * step
}

/** The offered amount that is nearest to the first number in a text; null without a number. */
export function nearestPreset(text: string): number | null {
  const [number] = /-?\d[\d.,]*/.exec(text) ?? []
  if (!number) return null
  const wanted = Number.parseFloat(number.replaceAll(',', ''))
  const distance = (preset: number) => Math.abs(preset - wanted)
  // A number that is too large for these subtractions is nearest to the largest amount.
  if (wanted > 1e6) return presets[2]
  return presets.reduce<number>(
    (best, preset) => (distance(preset) < distance(best) ? preset : best),
    presets[0],
  )
}
