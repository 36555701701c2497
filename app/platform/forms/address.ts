import { plainCharacters } from './characters.ts'

/** What may precede an address: a label without digits, an explorer's page, a payment link (EIP-681), a chain (CAIP-10). */
const start =
  /^(?:[^\d:/]{1,40}:\s+)?(?:(?:https?:\/\/)?[\w.-]+\.[a-z]+\/(?:[\w-]+\/)*address\/|ethereum:(?:pay-)?|eip155:\d+:|(?:bnb|bsc|smartchain|binance):)?/i

/**
 * The wallet address in an entered text, with the letter case of the text and with 0x; the text without
 * invisible characters if it has another form. A payment link that calls a contract names the contract, not the
 * person who is paid, so it is not read.
 */
export function readAddress(typed: string): string {
  const text = plainCharacters(typed.slice(0, 1000)).replace(/^[<("'«“]{1,5}|[>)"'»”.,;]{1,5}$/g, '')
  const [before = ''] = start.exec(text) ?? []
  const rest = text.slice(before.length).replace(/\s/g, '')
  const isPage = before.endsWith('/')
  const [, digits] =
    (isPage ? /^(?:0x)?([0-9a-f]{40})(?:[/?#]\S*)?$/i : /^(?:0x)?([0-9a-f]{40})(?:@\d+)?(?:[?#]\S*)?$/i).exec(
      rest,
    ) ?? []
  return digits ? `0x${digits}` : text
}
