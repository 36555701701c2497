/** The fields of the forms of acts. schemas.ts checks the values. */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { impactPools } from '../../platform/impact-pools'
import { key } from '../../platform/locales/key'

/** The longest value of each input, in characters. `links` has several links, one on each line. */
const longestOf = {
  line: 100,
  /** Several lines. */
  text: 5_000,
  time: 40,
  link: 2_000,
  links: 5_000,
  choice: 50,
  address: 42,
  hash: 66,
  count: 12,
  rate: 40,
  /** Percentages, one for each share of the fees. */
  shares: 200,
  email: 320,
  handle: 30,
}

export interface Field {
  name: string
  label: MessageDescriptor
  input: keyof typeof longestOf
  /** The minimum and maximum length in characters. A field that may be empty has the minimum 0. */
  shortest: number
  longest: number
  hint?: MessageDescriptor
  options?: readonly { value: string; label: MessageDescriptor }[]
  /** True if the value never becomes public. */
  isPrivate?: true
}

/** Returns the builder of the fields with this input. A field is required unless it is optional. */
function builderOf(input: Field['input']) {
  return (
    name: string,
    label: MessageDescriptor,
    { optional, ...rest }: Partial<Omit<Field, 'name' | 'label' | 'input'>> & { optional?: true } = {},
  ): Field => ({ name, label, input, shortest: optional ? 0 : 1, longest: longestOf[input], ...rest })
}

export const line = builderOf('line')
export const text = builderOf('text')
export const time = builderOf('time')
export const link = builderOf('link')
export const links = builderOf('links')
export const choice = builderOf('choice')
export const address = builderOf('address')
export const hash = builderOf('hash')
export const count = builderOf('count')
export const rate = builderOf('rate')
export const shares = builderOf('shares')
export const email = builderOf('email')
export const handle = builderOf('handle')

/** The name of the input of one share, in a form with an input for each of the six. */
export const shareInput = (name: string, part: string) => `${name}_${part.replaceAll('-', '_')}`

export const timeHint = msg`In UTC.`

export const poolOptions = impactPools.map(({ slug, title }) => ({ value: slug, label: key(title) }))
