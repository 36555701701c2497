/** For a page's scripts: its language, and the sentences that it contains for them (sentences.tsx). */
import type { Sentences } from './sentences'

/** The language tag for `Intl`, with the digits 0 to 9. English is British, as in all dates of the site. */
export function formatsTag(): string {
  const { lang } = document.documentElement
  return `${lang === 'en' ? 'en-GB' : lang}-u-nu-latn`
}

/**
 * A sentence in the language of the page: `say<typeof pageSentences>('copied')`. The sentence may have
 * placeholders, but no plural: the code for plurals would be a quarter of the script that every page loads.
 */
export function say<Module extends Sentences>(name: keyof Module & string, values?: Values): string {
  return fill(find(name) as string, values)
}

/** A sentence with a plural, for the script of a single page. `count` chooses the plural form. */
export function sayCount<Module extends Sentences>(
  name: keyof Module & string,
  count: number,
  values?: Values,
): string {
  const forms = find(name) as Record<string, string>
  const form = new Intl.PluralRules(document.documentElement.lang).select(count)
  return fill(forms[count] ?? forms[form] ?? forms.other ?? '', { '#': formatCount(count), ...values })
}

/** The space between two sentences of the page (Locale.gap). */
export function gap(): string {
  return document.documentElement.dataset.gap ?? ' '
}

/** The number in the format of the page's language, such as '1,234'. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(formatsTag(), { useGrouping: 'always' } as object).format(count)
}

type Values = Record<string, string>

/** An English page omits each sentence whose name is the sentence itself, as those of faults. */
function find(name: string): string | Record<string, string> {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-sentences]')]
  const sentences: Record<string, string | Record<string, string>> = Object.assign(
    {},
    ...parts.map(({ dataset }) => JSON.parse(dataset.sentences as string)),
  )
  return sentences[name] ?? name
}

function fill(sentence: string, values: Values = {}): string {
  return sentence.replace(/\{(\w+|#)\}/g, (_, name) => values[name] ?? '')
}
