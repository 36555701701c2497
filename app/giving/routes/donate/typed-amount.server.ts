import { msg } from '@lingui/core/macro'
import { type AcceptedToken, exampleAmount } from '~/ledger/accepted'
import { plainAmount, readNumber } from '~/platform/forms/number'
import { withPoint } from '~/platform/locales/formats'
import type { Language } from '~/platform/locales/language'
import { parseUnits } from '~/wallet/units'

/** The largest amount in whole tokens. A larger amount is probably a mistake. */
const most = 1_000_000n

/** The entered amount in base units of the token, or a sentence that explains why the amount is refused. */
export function readTypedAmount(
  typed: string,
  token: AcceptedToken,
  { i18n, formats }: Language,
): bigint | string {
  const { symbol, decimals } = token
  const parsed = parseUnits(typed, decimals, symbol)
  const read = readNumber(typed, symbol)
  const isHuge = 'number' in read && /^\d{31,}/.test(read.number)
  if (isHuge || ('units' in parsed && parsed.units > most * 10n ** BigInt(decimals))) {
    const limit = formats.count(most)
    return i18n._(msg`Enter at most ${limit} ${symbol}.`)
  }
  if ('units' in parsed) return parsed.units
  if (parsed.fault === 'ambiguous') {
    const [thousands, plain] = meanings(typed, symbol)
    const decimal = withPoint(plain, formats)
    return i18n._(msg`Do you mean ${thousands} or ${decimal}? Write one of them.`)
  }
  const example = exampleAmount(token, formats)
  return i18n._(msg`Enter a number of ${symbol}, for example ${example}.`)
}

/** The two meanings of '1,250', each written without ambiguity: ['1250', '1.25']. */
function meanings(typed: string, symbol: string): [thousands: string, decimal: string] {
  const [whole = '', fraction = ''] = plainAmount(typed, symbol).split('.')
  const short = fraction.replace(/0+$/, '')
  const decimal = short.length === 3 ? `${whole}.${short}0` : short ? `${whole}.${short}` : whole
  return [whole + fraction, decimal]
}
