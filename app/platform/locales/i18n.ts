import type { MessageDescriptor } from '@lingui/core'
import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import { localeOfTag } from './locales.ts'

/** The compiled messages of a language by id (scripts/vite/catalogs.ts). */
export type Catalog = Readonly<Record<string, CompiledMessage>>

/** A message from the catalogs (`msg`), or a text that is the same in all languages, such as a name. */
export type Text = MessageDescriptor | string

type Values = Record<string, unknown> | undefined

/**
 * Translates the messages of one request. Replaces Lingui's class, which formats each plural's number with
 * `Intl.NumberFormat`, whose first formatter costs each process 21 ms (decision 007).
 */
export class I18n {
  readonly #tag: string
  readonly #catalog: Catalog | null
  readonly #formatCount: (count: number) => string
  readonly #change: ((message: CompiledMessage) => CompiledMessage) | undefined
  #plurals: Intl.PluralRules | undefined

  constructor(
    tag: string,
    /** Null for English, because the code contains the English messages. */
    catalog: Catalog | null,
    formatCount: (count: number) => string,
    /** Turns an English message into a message of a pseudo-locale. */
    change?: (message: CompiledMessage) => CompiledMessage,
  ) {
    this.#tag = tag
    this.#catalog = catalog
    this.#formatCount = formatCount
    this.#change = change
  }

  /** Whether the language's catalog lacks the message. The page then shows the English message. */
  lacks(id: string): boolean {
    return this.#catalog !== null && !(id in this.#catalog)
  }

  /**
   * The text of a message with its placeholders, `{name}`, for a script. For a message with a plural, the
   * text of each plural form, with `{#}` as the number.
   */
  template({ id, message }: MessageDescriptor): string | Record<string, string> {
    const parts = this.#find(id, message) ?? [id]
    const plural = parts.find((part) => typeof part !== 'string' && part[1] === 'plural')
    if (!plural) return withPlaceholders(parts)
    const forms = Object.keys(plural[2] as Record<string, CompiledMessage>)
    return Object.fromEntries(forms.map((form) => [form, withPlaceholders(parts, form)]))
  }

  /** The text of a message, called by Lingui's macros. Returns any other string unchanged. */
  _(text: Text, values?: Values, options?: { message?: string }): string {
    const { id, message, values: own } = typeof text === 'string' ? { id: text, ...options, values } : text
    const compiled = this.#find(id, message)
    return compiled ? this.#format(compiled, own) : id
  }

  /** Translates sentences, and joins them into one text. */
  join(sentences: readonly Text[]): string {
    return sentences.map((sentence) => this._(sentence)).join(localeOfTag(this.#tag).gap ?? ' ')
  }

  #find(id: string, message: string | undefined): CompiledMessage | undefined {
    const translated = this.#catalog?.[id]
    if (translated || !message) return translated
    // The build compiles the English messages in the code (scripts/vite/messages.ts).
    const english = message as unknown as CompiledMessage
    return this.#change ? this.#change(english) : english
  }

  #format(message: CompiledMessage, values: Values, count?: number): string {
    let text = ''
    for (const part of message) {
      if (typeof part === 'string') {
        text += part === '#' && count !== undefined ? this.#formatCount(count) : part
        continue
      }
      const [name, type, choices] = part
      const value = values && Object.hasOwn(values, name) ? values[name] : ''
      if (!type) text += value
      else text += this.#choose(type, choices as Record<string, CompiledMessage>, value, values, count)
    }
    return text
  }

  #choose(
    type: string,
    choices: Record<string, CompiledMessage>,
    value: unknown,
    values: Values,
    count?: number,
  ): string {
    if (type === 'select') return this.#format(own(choices, `${value}`) ?? choices.other ?? [], values, count)
    if (type !== 'plural') throw new Error(`a message contains ${type}, which this site does not use`)
    this.#plurals ??= new Intl.PluralRules(this.#tag)
    const number = Number(value)
    const chosen = own(choices, `${number}`) ?? own(choices, this.#plurals.select(number)) ?? choices.other
    return this.#format(chosen ?? [], values, number)
  }
}

function withPlaceholders(parts: CompiledMessage, form?: string): string {
  const texts = parts.map((part) => {
    if (typeof part === 'string') return form && part === '#' ? '{#}' : part
    const [name, type, choices] = part
    return type && form ? withPlaceholders(own(choices as Choices, form) ?? [], form) : `{${name}}`
  })
  return texts.join('')
}

type Choices = Record<string, CompiledMessage>

function own(choices: Record<string, CompiledMessage>, key: string): CompiledMessage | undefined {
  return Object.hasOwn(choices, key) ? choices[key] : undefined
}
