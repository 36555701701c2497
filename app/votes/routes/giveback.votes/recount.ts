/**
 * Counts the vote of the page again: downloads its entries, proves each of them with the tiles of the signed log, and
 * checks signatures, sums and result with the verifier's code. recount-button.ts loads it.
 */
import {
  addCheck,
  linesOf,
  open,
  type Report,
  readLatest,
  readTile,
  sayNotChecked,
  type Tell,
  Unchecked,
  Wrong,
} from '~/ledger/log-check'
import { areEqual, type Bytes } from '~/log/bytes'
import { widthAt } from '~/log/tile'
import { formatCount, formatsTag, gap, say, sayCount } from '~/platform/locales/say'
import { Broken, countVote, rootOf, splitOf, sumsOf, type Vote } from '../../../../public/verify-ledger.mjs'
import type { recountSentences } from './recount-sentences'

/** How many lines are checked before the page may react again. A signature needs about 2 ms. */
const linesInTurn = 10

/** The lines of the file. Lets the page react in between, and tells how many were checked. */
async function* inTurns(lines: AsyncIterable<Bytes>, most: number, signal: AbortSignal, tell: Tell) {
  let count = 0
  for await (const line of lines) {
    if (count % linesInTurn === 0) {
      tell(count, most)
      await new Promise((resolve) => setTimeout(resolve))
      signal.throwIfAborted()
    }
    yield line
    count++
  }
}

async function recount({ goal, entries }: DOMStringMap, signal: AbortSignal, tell: Tell): Promise<Report> {
  const { latest } = await readLatest(signal)
  const tiles = new Map<string, Promise<Bytes>>()
  const tileOf = (level: number, index: number) => {
    const key = `${level} ${index}`
    const known =
      tiles.get(key) ?? readTile({ level, index, width: widthAt(latest.size, level, index) }, signal)
    tiles.set(key, known)
    return known
  }
  try {
    if (!areEqual(await rootOf(latest.size, tileOf), latest.root))
      throw new Wrong(say<typeof recountSentences>('otherRoot'))
    const { ok, body } = await open(`/giveback/${goal}/votes.ndjson`, signal)
    if (!ok || !body) throw new Unchecked(say<typeof recountSentences>('unavailable'))
    const lines = inTurns(linesOf(body), Number(entries), signal, tell)
    const { votes, unsigned, end, isWhole } = await countVote(lines, goal as string, latest.size, tileOf)
    const vote = votes.at(-1)
    if (!vote) throw new Unchecked(say<typeof recountSentences>('noVote'))
    const isGood = latest.isVerified && isWhole
    const text = [
      isGood && say<typeof recountSentences>('allGood'),
      sayCount<typeof recountSentences>('recounted', vote.ballots),
      ...(end === 'void' ? [] : saySums(vote)),
      say<typeof recountSentences>(end ?? 'unfinished', { number: formatCount(vote.ballots) }),
      unsigned > 0 && sayCount<typeof recountSentences>('unsignedEntries', unsigned),
      sayNotChecked(
        say<typeof recountSentences>('notCheckedWeights'),
        !latest.isVerified && say<typeof recountSentences>('notCheckedSignature'),
        say<typeof recountSentences>('notCheckedOthers'),
      ),
    ]
    return { text: text.filter(Boolean).join(gap()), isGood }
  } catch (error) {
    throw error instanceof Broken ? new Wrong(say<typeof recountSentences>('broken'), error.message) : error
  }
}

function saySums(vote: Vote): string[] {
  if (vote.limits) {
    const percent = new Intl.NumberFormat(formatsTag(), { style: 'percent', maximumFractionDigits: 1 })
    const shares = splitOf(vote).shares?.flatMap((share, at) => {
      const name = vote.limits?.names[at]
      return share && name ? [`${say(name)} ${percent.format(share / 1000)}`] : []
    })
    return shares ? [say<typeof recountSentences>('mean', { shares: shares.join(', ') })] : []
  }
  const { support, against } = sumsOf(vote)
  const [forIt, againstIt] = [support, against].map((weight) => tokens(weight, vote.facts.token_decimals))
  return [say<typeof recountSentences>('sums', { support: forIt ?? '', against: againstIt ?? '' })]
}

/** An amount of the token with all its decimals, which a number would lose. */
function tokens(weight: bigint, decimals: number): string {
  const digits = `${weight}`.padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const format = new Intl.NumberFormat(formatsTag(), {
    useGrouping: 'always',
    maximumFractionDigits: 20,
  } as object)
  return format.format(`${digits.slice(0, at)}.${digits.slice(at) || 0}` as `${number}`)
}

const place = document.querySelector<HTMLElement>('[data-recount]')
if (place) {
  const button = addCheck(place, say<typeof recountSentences>('recount'), [], (signal, tell) =>
    recount(place.dataset, signal, tell),
  )
  button.focus()
  button.click()
}
