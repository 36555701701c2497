#!/usr/bin/env node
/**
 * Checks a transparency log: one row, the whole export, or whether a site's log has only grown. It needs Node
 * 18 or later and nothing else, and uses no code of the site. (The page of a vote uses the code here that counts it
 * again; scripts/vite/verifier.ts says how.) The formats are RFC 6962 (hashes and proofs) and C2SP signed-note, tlog-checkpoint, tlog-tiles and tlog-proof (https://c2sp.org). In the site's
 * source, public/ledger/format.md specifies the entries, and docs/log.md describes the checks.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const help = `Checks that a ledger is complete and unchanged.

  node verify-ledger.mjs SITE                           a site by its URL
  node verify-ledger.mjs EXPORT CHECKPOINT --vkey KEY   a whole export (log.ndjson); - reads standard input
  node verify-ledger.mjs --row PROOF --vkey KEY         one row by its proof (<row>.tlog-proof)

A site: the first time, its checkpoint and verifier key are kept in a file. Every later time, the site proves
that its log only grew since then, with a few kilobytes. Do this often: it finds history that was rewritten.

  --remember FILE   where the checkpoint is kept (default: <host>.checkpoint.json in this folder)
  --whole           also download the export and check every entry against the checkpoint
  --votes VOTE      also count this vote (a goal, or split-1) again, and check each of its entries against the signed log. --whole counts
                    every vote again.
  --ballot FILE     with --votes: a text that you signed, followed by its signature. Says whether it is counted, and what
                    it would change.
  --wait SECONDS    with --whole: if the export has entries that are not signed yet, how long to wait for the
                    checkpoint that covers them (default: 60)

An export: fetch the checkpoint first, then the export.

  curl -fO SITE/transparency/log/checkpoint
  curl -fO SITE/transparency/log/vkey
  curl -fO SITE/transparency/log.ndjson
  node verify-ledger.mjs log.ndjson checkpoint --vkey vkey

  --texts FILE      the published texts (texts.ndjson): each must have the hash that an entry has, and each hash
                    of a signed entry must have its text or its withdrawal. Download it after the checkpoint and
                    before the export.

A site or an export:

  --since OLDER     a checkpoint that you kept, or the archive (checkpoints.ndjson): the log must begin with what
                    it signed. May be repeated.
  --anchors FILE    the list of anchors (anchors.ndjson). With a site by its URL, it is
                    downloaded.
  --rpc URL         a JSON-RPC endpoint of the blockchain, to look up the newest 20 anchors; for votes, one that has old
                    state: the draw, the supply, the excluded balances and every weight
  --anchor-from ADDRESS   the address that every anchor must come from, from someone you trust. The list must have
                    each of its newest 20 transactions. May be repeated, for a key that was replaced.

One row:

  --id NUMBER       the row that the proof must be for

With each of them:

  --vkey KEY        the verifier key, or a file that holds it. May be repeated.
  --witness KEY     the verifier key of a witness, or a file that holds it. Its cosignature of the checkpoint is
                    verified, and its time printed. May be repeated.
  --quorum NUMBER   how many of these witnesses must have cosigned (default: all of them)
  --timeout SECONDS how long to wait for a response, or for the next part of the export (default: 30)
  --help            this text

Exit status: 0 everything is in order, 1 something is wrong, 2 it could not be checked.
`

/** How far the clock of a witness may be ahead of this one, in seconds. */
const mostAhead = 300
const longestLine = 65_535
const longestAnswer = 4_000_000
const tileWidth = 256
/** The maximum number of anchors of one address that are looked up in one run, newest first. */
const mostAnchors = 20
/** The maximum number of an export's entries that no checkpoint covers. An endless export exceeds it. */
const mostUnsigned = 10_000
/** The lowest mean rate of an export after the timeout, in bytes per millisecond. */
const slowest = 1
/** The maximum number of characters of one value that are printed. */
const longestValue = 1_000
/** How long to wait for a response, in milliseconds (--timeout). */
let timeout = 30_000

/** Something is wrong: exit status 1. */
export class Broken extends Error {}
/** Something could not be checked: exit status 2. */
class Unchecked extends Error {}

/** Runs the checks. Returns the report. Throws Broken or Unchecked. */
async function main(parameters) {
  const options = readParameters(parameters)
  timeout = options.timeout
  options.keys = options.vkeys.map((given) => readVerifierKey(given))
  options.witnesses = options.witness.map((given) => readVerifierKey(given, cosignatureType))
  const check = { row: checkRow, site: checkSite, export: checkFile }[options.mode]
  return (await check(options)).filter(Boolean).join('\n')
}

/** Each option that has a value: its name, whether it may be repeated, and the checks that it belongs to. */
const known = {
  '--vkey': ['vkeys', true, 'row site export'],
  '--witness': ['witness', true, 'row site export'],
  '--quorum': ['quorum', false, 'row site export'],
  '--since': ['since', true, 'site export'],
  '--anchor-from': ['anchorFrom', true, 'site export'],
  '--row': ['row', false, 'row'],
  '--id': ['id', false, 'row'],
  '--remember': ['remember', false, 'site'],
  '--wait': ['wait', false, 'site'],
  '--votes': ['votes', false, 'site'],
  '--ballot': ['ballot', false, 'site'],
  '--texts': ['texts', false, 'export'],
  '--anchors': ['anchors', false, 'site export'],
  '--rpc': ['rpc', false, 'site export'],
  '--timeout': ['timeout', false, 'row site export'],
}

function readParameters(parameters) {
  const options = {
    vkeys: [],
    witness: [],
    since: [],
    anchorFrom: [],
    whole: false,
    wait: '60',
    timeout: '30',
  }
  const [files, names] = [[], []]
  for (let at = 0; at < parameters.length; at++) {
    const name = parameters[at]
    if (!name.startsWith('--')) files.push(name)
    else if (name === '--whole') options.whole = true
    else if (!Object.hasOwn(known, name)) throw new Unchecked(`Unknown option ${name}. See --help.`)
    else {
      const value = parameters[++at]
      if (value === undefined) throw new Unchecked(`${name} needs a value. See --help.`)
      const [option, isList] = known[name]
      options[option] = isList ? [...options[option], value] : value
      names.push(name)
    }
  }
  const [subject, checkpoint] = files
  const mode = options.row ? 'row' : isUrl(subject) ? 'site' : 'export'
  if (files.length !== { row: 0, site: 1, export: 2 }[mode])
    throw new Unchecked('Give a site, or an export and its checkpoint, or --row and a proof. See --help.')
  // An option without an effect would look like a check that was made.
  const useless =
    names.find((name) => !known[name][2].includes(mode)) ?? (options.whole && mode !== 'site' && '--whole')
  if (useless) throw new Unchecked(`${useless} has no effect on this check. See --help.`)
  if (mode !== 'site' && options.vkeys.length === 0)
    throw new Unchecked('Give the verifier key with --vkey. Without it, we cannot check the signature.')
  if (mode === 'export' && options.rpc && !options.anchors)
    throw new Unchecked('Give the list of anchors with --anchors, so that --rpc can look them up.')
  if (options.anchorFrom.length > 0 && !options.rpc)
    throw new Unchecked('Give an endpoint with --rpc, so that --anchor-from can be checked.')
  const quorum = options.quorum ?? `${options.witness.length}`
  if (
    !/^\d{1,3}$/.test(quorum) ||
    Number(quorum) > options.witness.length ||
    (options.quorum && quorum === '0')
  )
    throw new Unchecked('--quorum needs a number from 1 to the number of --witness.')
  if (options.votes && !/^(goal-[a-z]{8}|split-[1-9]\d{0,8})$/.test(options.votes))
    throw new Unchecked('--votes needs the name of a goal or of a split, such as goal-abcdefgh or split-1.')
  if (options.ballot && !options.votes) throw new Unchecked('Give the vote of the ballot with --votes.')
  const senders = options.anchorFrom.map((address) => address.toLowerCase())
  if (!senders.every(isAddress)) throw new Unchecked('--anchor-from needs an address: 0x and 40 hex digits.')
  const [wait, patience] = [options.wait, options.timeout].map((seconds) =>
    /^\d{1,5}$/.test(seconds) ? 1000 * Number(seconds) : null,
  )
  if (wait === null || !patience) throw new Unchecked('--wait and --timeout need a number of seconds.')
  return {
    ...options,
    mode,
    subject,
    checkpoint,
    anchorFrom: senders,
    quorum: Number(quorum),
    wait,
    timeout: patience,
  }
}

const isUrl = (text) => /^https?:\/\//.test(text ?? '')
const isAddress = (text) => /^0x[0-9a-f]{40}$/.test(text)

// One row ---------------------------------------------------------------------------------------------------

/** Checks a tlog-proof, whose `extra` line contains the entry. */
function checkRow({ row, id, keys, witnesses, quorum }) {
  const text = readText(row)
  const end = text.indexOf('\n\n')
  const [header, extra = '', index = '', ...path] = text.slice(0, Math.max(end, 0)).split('\n')
  const entry = decodeBase64(extra.replace(/^extra /, ''))
  const place = /^index (0|[1-9]\d{0,15})$/.exec(index)?.[1]
  if (header !== 'c2sp.org/tlog-proof@v1' || !extra.startsWith('extra ') || !entry || place === undefined)
    throw new Unchecked(`${row} is not a proof of a row.`)
  const checkpoint = openCheckpoint(text.slice(end + 2), keys, row)
  const hashes = path.map((hash) => decodeBase64(hash))
  if (!hashes.every((hash) => hash?.length === 32)) throw new Broken(`A hash in ${row} is malformed.`)
  const facts = parseEntry(entry, `The entry in ${row}`)
  if (!verifyInclusion(leafHash(entry), Number(place), checkpoint.size, hashes, checkpoint.root))
    throw new Broken(`The entry in ${row} is not at place ${place} of the log that was signed.`)
  if (id !== undefined && !(facts.kind === 'transaction' && `${facts.id}` === id))
    throw new Broken(
      `The proof is for another entry (${printable(facts.kind)} ${printable(facts.id)}), not for row ${id}.`,
    )
  const isRow = facts.kind === 'transaction'
  return [
    `The ${isRow ? 'row' : 'entry'} is in the log: entry ${place} of the ${checkpoint.size} that ${checkpoint.signer} has signed.`,
    ...Object.entries(facts).map(
      ([name, value]) => `  ${printable(name)}: ${value === null ? '-' : printable(value)}`,
    ),
    ...cosignaturesOf(checkpoint, witnesses, quorum),
    isRow
      ? 'Not checked: whether the payment took place (look up its transaction on the blockchain), whether a later entry corrects this one, and whether the log only grew (check the site by its URL).'
      : 'Not checked: whether what the entry says is true, whether a later entry corrects it, and whether the log only grew (check the site by its URL).',
  ]
}

// A whole export --------------------------------------------------------------------------------------------

async function checkFile({ subject, checkpoint, since, texts, anchors, rpc, anchorFrom, ...options }) {
  const { keys, witnesses, quorum } = options
  const [latest, ...more] = readCheckpoints(checkpoint, keys)
  if (more.length > 0) throw new Unchecked(`${checkpoint} has several checkpoints: name the latest alone.`)
  const older = since.flatMap((file) => readCheckpoints(file, keys))
  requireEntries(latest, older)
  const cosigned = cosignaturesOf(latest, witnesses, quorum)
  const anchored = anchors ? await readAnchors(() => readText(anchors), rpc, anchorFrom) : null
  const published = texts ? readTexts(texts) : null
  const { size, unnamed, unordered, removed, votes, controls, shown } = await checkExport(
    bytesOf(subject),
    latest,
    [...older, ...(anchored?.checkpoints ?? [])],
    published,
  )
  if (rpc) await checkRemovedOnChain(removed, rpc)
  if (rpc) await checkVotesOnChain(votes, rpc)
  const compared = rpc ? await checkCustodyOnChain(controls, rpc) : 0
  const unsigned = size - Math.max(latest.size, ...older.map((one) => one.size))
  return [
    `OK: ${count(latest.size)} checked. They match the root that ${latest.signer} signed.`,
    unsigned > 0 && `Not signed yet: ${count(unsigned)} after them. Nothing is proven about these.`,
    ...(older.length > 3 ? [] : older).map((one) => `It begins with the ${count(one.size)} of ${one.title}.`),
    older.length > 3 && `It agrees with all ${older.length} older checkpoints.`,
    older.length === 0 &&
      'Keep this checkpoint. Next time, pass it with --since to see if anything was rewritten.',
    ...cosigned,
    ...(anchored?.lines ?? []),
    saysUnnamed(unnamed),
    saysUnordered(unordered),
    saysRemoved(removed),
    saysShown(shown, controls, compared),
    ...reportVotes(votes, rpc),
    ...(published ? reportTexts(published, latest.size) : []),
    notChecked(
      witnesses,
      !published && 'the texts (--texts)',
      !anchored?.isLookedUp && 'the anchors (--anchors and --rpc)',
    ),
  ]
}

const saysUnnamed = (acts) => acts > 0 && `Acts of the command line, which names no operator: ${acts}.`

const saysUnordered = (payments) =>
  payments > 0 && `Payments from a paying wallet without an order: ${payments}.`
const saysShown = (keys, { size }, compared) =>
  size > 0 &&
  `Wallets whose keys the log names: ${size}, of which ${compared} were compared with the blockchain (--rpc). Keys that a signature showed: ${keys}.`
const saysRemoved = ({ size }) => size > 0 && `Transfers that a reorganisation removed: ${size}.`

/** Throws Broken if the blockchain has a transfer that the log calls removed: an order could fail after it was paid. */
async function checkRemovedOnChain(removed, rpc) {
  for (const [transfer, index] of removed) {
    const receipt = await call(rpc, 'eth_getTransactionReceipt', [transfer.split('/')[1]])
    if (receipt?.status === '0x1')
      throw new Broken(
        `Entry ${index} says that a reorganisation removed a transfer, and ${hostOf(rpc)} has its transaction.`,
      )
  }
}

/** The last line of a report: what no option of this program can check, and what the options given did not check. */
function notChecked(witnesses, ...omitted) {
  const others = witnesses.length === 0 && 'whether others see the same log'
  const parts = [...omitted, 'whether the payments took place', others]
  return `Not checked: ${parts.filter(Boolean).join(', ')}.`
}

/** Throws Unchecked for a checkpoint without entries, and Broken if an older one has entries. */
function requireEntries(latest, older) {
  if (latest.size > 0) return
  for (const one of older) requireGrowth(one, latest)
  throw new Unchecked('The checkpoint covers no entry, so there is nothing to check.')
}

/**
 * Reads an export in bounded memory and compares its root with each checkpoint, at the checkpoint's size. Returns the
 * size and the root of the export, the number of its acts without an operator, the number of its payments without an
 * order, and its votes. Throws Broken if an entry is malformed, if a vote does not count again, or if the export and a
 * checkpoint differ, and
 * Unchecked if the export is empty or has more than `mostUnsigned` entries that no checkpoint covers. `published` is
 * the result of readTexts, or null: it gets the hashes and withdrawals of the entries.
 */
export async function checkExport(pieces, latest, others = [], published = null) {
  const wanted = new Map()
  for (const one of [...others, latest]) wanted.set(one.size, [...(wanted.get(one.size) ?? []), one])
  const most = Math.max(...wanted.keys()) + mostUnsigned
  const tree = new GrowingTree()
  const checkRules = rulesChecker()
  const checkAct = actChecker()
  const orders = orderChecker()
  const custody = custodyChecker()
  const checkSplit = splitChecker()
  const checkArrival = arrivalChecker()
  const counter = voteCounter(true)
  let unnamed = 0
  let unordered = 0
  let agreed = 0
  const compare = () => {
    for (const one of wanted.get(tree.size) ?? [])
      if (!tree.root().equals(one.root))
        throw new Broken(
          `The first ${count(tree.size)} of this export are not those of ${one.title}.\n` +
            `Something was changed, added, removed or moved ${agreed ? `after the first ${agreed}` : 'in them'}.`,
        )
    if (wanted.has(tree.size)) agreed = tree.size
  }
  compare()
  for await (const line of linesOf(pieces)) {
    if (tree.size === most)
      throw new Unchecked(
        `The export has more than ${count(mostUnsigned)} after those that were signed. We stopped reading it.`,
      )
    const facts = parseEntry(line, `Entry ${tree.size}`)
    checkRules(facts, tree.size)
    unnamed = checkAct(facts, tree.size)
    unordered = orders.check(facts, tree.size)
    counter.check(facts, line, tree.size)
    checkSplit(facts, tree.size)
    custody.check(facts, tree.size)
    checkArrival(facts, tree.size)
    if (published) collectHashes(published, facts, tree.size)
    custody.keep(facts, tree.size, tree.append(line))
    compare()
    if (tree.size % 10_000 === 0 && process.stderr.isTTY) process.stderr.write(`\r${tree.size} entries `)
  }
  if (process.stderr.isTTY) process.stderr.write('\r')
  orders.finish(tree.size)
  if (tree.size === 0) throw new Unchecked('The export is empty, so there is nothing to check.')
  const missing = [latest, ...others].find((one) => one.size > tree.size)
  if (missing)
    throw new Broken(
      `The export ends after ${count(tree.size)}, but ${missing.title} has ${missing.size}.\n` +
        'Entries are missing, or your export is older than the checkpoint. Download the checkpoint first, then the export.',
    )
  return {
    size: tree.size,
    root: tree.root(),
    unnamed,
    unordered,
    removed: orders.gone,
    votes: counter.votes,
    controls: custody.newest,
    shown: custody.shown.size,
  }
}

/**
 * The kind of the entry that an act of each kind makes; null if it makes none. More kinds may be added to the
 * format.
 */
const madeBy = new Map([
  ...['statement', 'confirmation'].map((act) => [act, 'statement']),
  ...['purpose', 'value', 'reading'].map((act) => [act, 'transaction']),
  ...['update', 'name', 'withdrawal', 'order', 'standing-order', 'split-vote'].map((act) => [act, act]),
  ['stop', 'order'],
  ['take', 'order'],
  ['order-end', 'order'],
  ['suspend', 'standing-order'],
  ...['goal-approval', 'goal-freeze', 'goal-release', 'goal-annulment', 'goal-report'].map((act) => [
    act,
    'goal',
  ]),
  ...[
    'operator',
    'operator-end',
    'goal-return',
    'goal-rejection',
    'complaint-dismissal',
    'goal-update',
    'redraw',
    'schedule-move',
    'stop-reason',
    'mistake-note',
    'holder',
    'contact',
    'arrival-print',
    'answer-words',
    'answer-rejection',
  ].map((act) => [act, null]),
])

/** The state in which an act leaves its order. */
const madeState = new Map([
  ['order', 'announced'],
  ['stop', 'stopped'],
  ['take', 'taken'],
  ['order-end', 'lost'],
])

/** Acts that two operators do together. Their handles may both be null: then the command line did the act. */
const ofTwo = new Set([
  'value',
  'withdrawal',
  'operator',
  'goal-approval',
  'goal-release',
  'goal-annulment',
  'order',
  'standing-order',
  'split-vote',
  'payments-release',
  'payer-acceptance',
  'order-end',
  'redraw',
  'schedule-move',
  'holder',
  'contact',
])
/** Acts that the command line cannot do: the secret key alone decides about no money. */
const ofOperators = new Set([
  'order',
  'standing-order',
  'take',
  'order-end',
  'payments-release',
  'payer-acceptance',
  'redraw',
  'schedule-move',
  'contact',
  'arrival-print',
])
/** Acts that one operator does, or two. */
const ofOneOrTwo = new Set(['name', 'operator-end', 'update'])

function hasItsPeople({ act, by, second }) {
  if (by === null && ofOperators.has(act)) return false
  if (by === null || second === null) return second === null && (by === null || !ofTwo.has(act))
  const isHandle = (one) => typeof one === 'string' && one !== ''
  const mayBeTwo = ofTwo.has(act) || ofOneOrTwo.has(act) || !madeBy.has(act)
  return isHandle(by) && isHandle(second) && by !== second && mayBeTwo
}

/** Acts whose reason is not public: the log has its hash, and the text is not published. */
const privateReasons = new Set(['goal-return', 'goal-rejection'])

/**
 * A function that checks each entry in turn. It throws Broken for an act without its effect, for an act without its
 * people, and for a gap in the acts. It returns the number of acts of the command line so far.
 */
function actChecker() {
  let last = 0
  let unnamed = 0
  let before = {}
  return (facts, index) => {
    if (facts.kind === 'act') {
      const { act, id, made } = facts
      if (id !== ++last)
        throw new Broken(`Entry ${index} is act ${printable(id)}, but act ${last} comes next.`)
      const kind = madeBy.get(act)
      const isEffect = Boolean(made) && made.kind === before.kind && made.id === before.id
      const isRight =
        kind === undefined ? made === null || isEffect : kind ? isEffect && made.kind === kind : made === null
      if (!isRight || (madeState.has(act) && before.state !== madeState.get(act)))
        throw new Broken(`Entry ${index} is an act, and the entry before it is not the one that it made.`)
      if (!hasItsPeople(facts))
        throw new Broken(`Entry ${index} is an act, and it does not name the operators that it needs.`)
      if (facts.by === null) unnamed++
    }
    before = facts
    return unnamed
  }
}

/** The kinds of entries that name the version of the rules by which they are made, and the newest one that is known here. */
export const underRules = new Set(
  'payment-terms order standing-order standing-payment split allocation reorganisation draw vote void ballot result split-vote split-result answer'.split(
    ' ',
  ),
)
export const newestRules = 3
/** The version of the rules of an entry: entries of before versions were named have none. */
const rulesOf = ({ rules = 1 }) => rules

/**
 * A function that checks each entry in turn. It throws Broken for an entry by older rules than one before it, and
 * Unchecked for one by newer rules than this program knows.
 */
function rulesChecker() {
  let highest = 1
  return (facts, index) => {
    if (!underRules.has(facts.kind)) return
    const rules = rulesOf(facts)
    if (!isCount(rules) || rules < ('rules' in facts ? 2 : 1))
      throw new Broken(`Entry ${index} does not say by which rules it is made.`)
    if (rules > newestRules)
      throw new Unchecked(
        `Entry ${index} is by the rules of version ${rules}, and this program knows those up to ${newestRules}. Download it again.`,
      )
    if (rules < highest)
      throw new Broken(
        `Entry ${index} is by the rules of version ${rules}, and an entry before it by those of version ${highest}.`,
      )
    highest = rules
  }
}

/** The states to which an order may go. */
const movesOf = new Map([
  ['announced', ['sent', 'paid', 'taken', 'stopped', 'expired']],
  ['taken', ['paid', 'stopped', 'expired']],
  ['sent', ['paid', 'failed', 'mismatched', 'lost']],
  ['lost', ['paid']],
  // By version 3.
  ['paid', ['sent']],
  ['failed', ['paid']],
])

/** How many entries back the text that shows a key may name one. */
const mostBack = 100_000
const dayLength = 86_400_000

/**
 * What checks the entries `custody` (of who can move the money of a wallet) and `custody-signature` (of a key that was shown). `check`
 * throws Broken for one that the rules of format.md do not allow; `keep` is called with each entry's leaf hash after it.
 */
function custodyChecker() {
  const newest = new Map()
  const shown = new Map()
  /** The leaf hash and the time of each of the newest entries, by index. */
  const recent = new Map()
  const checkControl = (facts, index) => {
    const { chain_id: chain, wallet, control, version, owners, threshold, modules, guard, handler } = facts
    const { allowances } = facts
    const placeOf = ({ token, spender }) => `${token} ${spender}`
    const isAllowed =
      allowances === null ||
      (Array.isArray(allowances) &&
        allowances.every(
          (one, at) =>
            [one?.token, one?.spender].every(isAddress) &&
            [one.symbol, one.amount].every((text) => typeof text === 'string') &&
            /^.{1,32}$/u.test(one.symbol) &&
            isCount(one.decimals) &&
            /^[1-9]\d{0,77}$/.test(one.amount) &&
            (at === 0 || placeOf(allowances[at - 1]) < placeOf(one)),
        ))
    const isList = (list) =>
      Array.isArray(list) && list.every(isAddress) && list.every((one, at) => at === 0 || list[at - 1] < one)
    const isSafe = control === 'safe'
    const isWhole =
      isCount(chain) &&
      isAddress(wallet) &&
      isCount(facts.block_number) &&
      isList(owners) &&
      isList(modules) &&
      isAllowed &&
      [guard, handler].every((one) => one === null || isAddress(one)) &&
      (isSafe
        ? typeof version === 'string' && isCount(threshold) && threshold >= 1 && threshold <= owners.length
        : ['key', 'contract'].includes(control) &&
          owners.length + modules.length === 0 &&
          [version, threshold, guard, handler].every((one) => one === null))
    if (!isWhole) throw new Broken(`Entry ${index} does not say who can move the money of a wallet.`)
    const key = `${chain} ${wallet}`
    const former = newest.get(key)
    const said = JSON.stringify([control, version, owners, threshold, modules, guard, handler, allowances])
    // An amount that was spent can be approved again.
    if ((former?.said === said && !allowances?.length) || facts.block_number < former?.facts.block_number)
      throw new Broken(`Entry ${index} is about the keys of a wallet, and it changes nothing or is older.`)
    newest.set(key, { said, facts, index })
  }
  const checkSignature = (facts, index) => {
    const { chain_id: chain, wallet, signer, site, date, entry, leaf, signature } = facts
    const refuse = (fault) => {
      throw new Broken(`Entry ${index} does not show a key: ${fault}.`)
    }
    const [today, day] = [timeIn(facts.recorded_at), timeIn(`${date}T00:00:00Z`)]
    const isWhole =
      isCount(chain) &&
      isAddress(wallet) &&
      isAddress(signer) &&
      isCount(entry) &&
      /^[0-9a-f]{64}$/.test(leaf)
    if (!isWhole || !/^\S{1,255}$/.test(site) || Number.isNaN(day)) refuse('it is malformed')
    const held = newest.get(`${chain} ${wallet}`)?.facts
    const keys = held?.control === 'key' ? [wallet] : (held?.owners ?? [])
    if (!keys.includes(signer)) refuse('the log does not name this key for the wallet')
    if (!(day <= today && today < day + 2 * dayLength)) refuse('its date is another day')
    const named = recent.get(entry)
    const next = recent.get(entry + 1)
    if (named?.leaf !== leaf) refuse('it names no entry before it')
    if (next && timeIn(next.at) < day - dayLength) refuse('the entry that it names was old on that day')
    const text = `Proof of a key

Site: ${site}
Chain: ${chain}
Wallet: ${checksumAddress(wallet)}
Signer: ${checksumAddress(signer)}
Date: ${date}
Entry: ${entry} ${leaf}

I hold the key of this signer today. This is free and moves no money.`
    if (signerOf(text, signature) !== signer) refuse('the key did not sign it')
    const key = `${chain} ${wallet} ${signer}`
    if (shown.get(key) >= date) refuse('the key was shown on this day or later already')
    shown.set(key, date)
  }
  return {
    newest,
    shown,
    check: (facts, index) => {
      if (facts.kind === 'custody') checkControl(facts, index)
      if (facts.kind === 'custody-signature') checkSignature(facts, index)
    },
    keep: (facts, index, leaf) => {
      recent.set(index, { leaf: hexOf(leaf), at: facts.recorded_at })
      recent.delete(index - mostBack)
    },
  }
}

/**
 * Compares the newest entry of each wallet with the blockchain at its block: whether it has code, of a Safe the owners and the
 * threshold, and each amount that others may spend. Returns the number of wallets that were compared: an endpoint without old state cannot answer. Throws Broken if one
 * differs.
 */
export async function checkCustodyOnChain(newest, rpc) {
  let compared = 0
  for (const { facts, index } of newest.values()) {
    const { chain_id: chain, wallet, control, owners, threshold, allowances, block_number: number } = facts
    const at = `0x${number.toString(16)}`
    const read = (data) => call(rpc, 'eth_call', [{ to: wallet, data }, at])
    try {
      if (Number(await call(rpc, 'eth_chainId', [])) !== chain) continue
      const hasCode = (await call(rpc, 'eth_getCode', [wallet, at])) !== '0x'
      const isSafe = control === 'safe'
      // getOwners() and getThreshold(). A list is its place, its length and its words.
      const words = isSafe ? ((await read('0xa0e67e2b')).match(/[0-9a-f]{64}/g) ?? []) : []
      const listed = words.slice(2).map((word) => `0x${word.slice(24)}`)
      const found = isSafe ? [listed.sort().join(), Number(await read('0xe75235b8'))] : []
      // allowance(owner, spender).
      const isAllowed = async ({ token, spender, amount }) => {
        const data = `0xdd62ed3e${[wallet, spender].map((one) => one.slice(2).padStart(64, '0')).join('')}`
        return BigInt(await call(rpc, 'eth_call', [{ to: token, data }, at])) === BigInt(amount)
      }
      const allowed = await Promise.all((allowances ?? []).map(isAllowed))
      if (
        hasCode === (control === 'key') ||
        (isSafe && `${found}` !== `${[owners.join(), threshold]}`) ||
        allowed.includes(false)
      )
        throw new Broken(
          `Entry ${index} says who can move the money of ${wallet}, and ${hostOf(rpc)} says otherwise of block ${number}.`,
        )
      compared++
    } catch (error) {
      if (!(error instanceof Unchecked)) throw error
    }
  }
  return compared
}

/** What stays the same in all entries of an order. */
const orderFacts = (order) =>
  JSON.stringify(
    [
      ...[
        'account',
        'recipient',
        'recipient_account',
        'chain_id',
        'from_address',
        'to_address',
        'token_address',
      ],
      ...[
        'token_symbol',
        'token_decimals',
        'token_amount',
        'type',
        'pool',
        'purpose_hash',
        'statement',
        'due_at',
      ],
    ].map((name) => order[name]),
  )

/** For how long a link takes a second answer, in milliseconds. */
const halfYear = 180 * 86_400_000

/**
 * A function that checks each entry in turn. It throws Broken for an answer of a recipient that is not about the newest
 * version of a payment, whose strength is not what it says, or that comes too late.
 */
function arrivalChecker() {
  const payments = new Map()
  const contacts = new Map()
  const printed = new Set()
  const asks = new Map()
  const answered = new Set()
  let last = 0
  const checkAnswer = (facts, index) => {
    const broken = (why) => {
      throw new Broken(`Entry ${index} is the answer of a recipient, and ${why}.`)
    }
    const { id, ask, strength, by, second, row, answer, time, signature } = facts
    const transfer = transferOf(facts)
    const paid = payments.get(transfer)
    const at = Date.parse(facts.recorded_at)
    if (!isCount(id) || id <= last) broken('its number is not after that of the answer before')
    last = id
    if (paid?.id !== row || paid.isGone)
      broken('it is not about the newest version of a payment to a recipient')
    if (!['yes', 'but', 'no'].includes(answer)) broken('it is none of the three answers')
    if (!(at >= paid.recordedAt)) broken('it is older than its payment')
    const former = asks.get(ask)
    if (former && former.facts !== JSON.stringify([transfer, row, strength, by, second]))
      broken('the same link was about something else')
    if (former && (former.many >= 2 || at < former.at || at - former.first > halfYear))
      broken('its link takes no more answers')
    asks.set(ask, {
      facts: JSON.stringify([transfer, row, strength, by, second]),
      ...{ many: (former?.many ?? 0) + 1, first: former?.first ?? at, at },
    })
    if (strength === 'wallet') {
      const signed = Date.parse(time)
      if (by !== null || second !== null || facts.name_hash !== null) broken('a wallet names no one')
      if (signerOf(answerText(facts, paid.to), signature) !== paid.to)
        broken('the wallet that was paid did not sign it')
      if (!(signed >= paid.occurredAt && signed <= at + clockDifference && at - signed <= 86_400_000))
        broken('it was signed at another time')
    } else if (time !== null || signature !== null) broken('only a wallet signs')
    else if (strength === 'mail') {
      const known = contacts.get(paid.to)?.findLast((one) => one.at < paid.occurredAt)
      if (!known || by === null || by === second || known.by !== by || known.second !== second)
        broken('these two operators did not enter the address before the payment')
    } else if (strength !== 'print' || second !== null || !printed.has(`${transfer} ${by}`))
      broken('no operator printed its link before')
    answered.add(`${id}`)
  }
  return (facts, index) => {
    const { kind, act, subject, by, second } = facts
    if (kind === 'transaction') {
      const isAsked =
        facts.direction === 'out' &&
        facts.counter_account === null &&
        ['spending', 'donation', 'dream'].includes(facts.type)
      if (isAsked)
        payments.set(transferOf(facts), {
          ...{ id: facts.id, to: facts.to_address, isGone: false, recordedAt: Date.parse(facts.recorded_at) },
          occurredAt: Date.parse(facts.occurred_at),
        })
      else payments.delete(transferOf(facts))
    } else if (kind === 'reorganisation') {
      const paid = payments.get(transferOf(facts))
      if (paid) paid.isGone = facts.gone
    } else if (kind === 'answer') checkAnswer(facts, index)
    else if (kind === 'act' && act === 'contact')
      contacts.set(subject, [
        ...(contacts.get(subject) ?? []),
        { by, second, at: Date.parse(facts.recorded_at) },
      ])
    else if (kind === 'act' && act === 'arrival-print') printed.add(`${subject} ${by}`)
    else if (kind === 'act' && act?.startsWith?.('answer-') && !answered.has(subject))
      throw new Broken(`Entry ${index} is about the words of an answer that is not before it.`)
  }
}

/** The text that the wallet of a recipient signs. */
function answerText({ row, answer, words_hash: words, time, ...transfer }, wallet) {
  return `Answer of a recipient

Payment: ${transferOf(transfer)}
Number: ${row}
Wallet: ${checksumAddress(wallet)}
Answer: ${answer}
Words: ${words ?? 'none'}
Time: ${time}

This is free and moves no money. Wallet and answer become public for ever.`
}

/** What a payment and its order have in common. */
const paymentOf = ({
  chain_id: chain,
  from_address: from,
  to_address: to,
  token_address: token,
  token_amount: amount,
}) => JSON.stringify([chain, from, to, token, amount])
const transferOf = ({ chain_id: chain, tx_hash: hash, ordinal }) => `${chain}/${hash}/${ordinal}`

const oneHour = 3_600_000
/** How far the clocks of the database and of blocks may differ. */
const clockDifference = 120_000

/**
 * Checks the terms of payments, and remembers them, the names of recipients and whether payments are on hold.
 * `checkOrder` throws Broken for a new order that the terms do not allow.
 */
function termsChecker() {
  const all = []
  const names = new Map()
  const since = new Map()
  const keyOf = (chain, account, address) => `${chain} ${account} ${address}`
  const isWallet = (one) => typeof one?.account === 'string' && isAddress(one.address)
  const isToken = (one) => typeof one?.symbol === 'string' && isAddress(one.address) && isCount(one.decimals)
  const checkTerms = (facts, index) => {
    const { chain_id: chain, payer, notice_hours: notice, limit_tokens: limit, wallets, tokens } = facts
    const at = Date.parse(facts.recorded_at)
    const isWhole =
      isCount(chain) &&
      (payer === null || isAddress(payer)) &&
      isCount(notice) &&
      notice > 0 &&
      isCount(limit) &&
      at > 0
    if (!isWhole || !wallets?.every?.(isWallet) || !tokens?.every?.(isToken))
      throw new Broken(`Entry ${index} has terms of payments that are malformed.`)
    const isFirst = all.every((one) => one.chain !== chain)
    const held = wallets.map(({ account, address }) => keyOf(chain, account, address))
    for (const key of [...since.keys()]) if (!held.includes(key)) since.delete(key)
    for (const key of held) if (!since.has(key)) since.set(key, isFirst ? -Infinity : at)
    if (all.length > 0) all.at(-1).until = at
    all.push({ chain, notice: notice * oneHour, limit, tokens, until: Infinity })
  }
  const check = (facts, index) => {
    if (facts.kind === 'payment-terms') checkTerms(facts, index)
    else if (facts.kind === 'name')
      names.set(facts.address, {
        id: facts.id,
        at: Date.parse(facts.recorded_at),
        isApproved: false,
        hash: facts.name_hash,
      })
    else if (facts.kind === 'act' && facts.act === 'name' && facts.second !== null)
      for (const name of names.values()) if (name.id === facts.made?.id) name.isApproved = name.hash !== null
  }
  const checkOrder = (order, broken) => {
    const terms = all.at(-1)
    if (terms?.chain !== order.chain_id) broken('there are no terms of payments on its chain before it')
    const at = Date.parse(order.recorded_at)
    // What loosens the terms counts after the notice.
    const notice = Math.max(...all.filter((one) => one.until > at - one.notice).map((one) => one.notice))
    const limit = Math.min(...all.filter((one) => one.until > at - notice).map((one) => one.limit))
    const sinceOf = (account, address) => since.get(keyOf(order.chain_id, account, address))
    const from = sinceOf(order.account, order.from_address)
    if (from === undefined) broken('it is not from the wallet of its account')
    const isOurs = order.recipient === 'pool' || order.recipient === 'wallet'
    const to = isOurs ? sinceOf(order.recipient_account, order.to_address) : -Infinity
    if (to === undefined) broken('it is not to the wallet of its recipient')
    const name = names.get(order.to_address)
    if (order.recipient === 'named' && !name?.isApproved) broken('two operators did not name its recipient')
    const isIts = (token) =>
      token.symbol === order.token_symbol &&
      token.address === order.token_address &&
      token.decimals === order.token_decimals
    if (!terms.tokens.some(isIts)) broken('its token takes no orders')
    if (BigInt(order.token_amount) > BigInt(limit) * 10n ** BigInt(order.token_decimals))
      broken('it is above the limit of an order')
    const known = Math.max(from, to, order.recipient === 'named' ? name.at : -Infinity)
    if (!(Date.parse(order.due_at) >= Math.max(at, known + notice) + notice - 1))
      broken('its notice is shorter than the terms say')
  }
  return { check, checkOrder }
}

/** The time of which the orders of a standing order together have a limit. */
const limitedTime = 30 * 86_400_000

/** An amount in dollars in cents, rounded down; 0 for an unknown one. */
function centsOf(dollars) {
  const [, whole = '0', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(dollars ?? '') ?? []
  return BigInt(whole + fraction.padEnd(2, '0').slice(0, 2))
}

/** What stays the same in both entries of a standing order. */
const ruleFacts = ({ id: _, revision: __, recorded_at: ___, rules: ____, state: _____, ...facts }) =>
  JSON.stringify(facts)

/**
 * Checks standing orders. `check` throws Broken for an entry of one that is not whole, that two operators did not make, or
 * that changes. `checkPayment` throws Broken for an order that its standing order does not allow.
 */
function standingChecker() {
  const rules = new Map()
  const months = new Map()
  const splits = new Map()
  const taxes = new Map()
  const won = new Set()
  let waiting = null
  const refuse = (index, what, why) => {
    throw new Broken(`Entry ${index} is ${what}, and ${why}.`)
  }
  const check = (facts, index) => {
    if (waiting) {
      const { act, id } = waiting
      waiting = null
      const isIts = facts.kind === 'act' && facts.act === act && facts.made?.kind === 'standing-order'
      if (!isIts || facts.made.id !== id)
        refuse(index - 1, 'a standing order', 'the act that made it does not follow')
      if (
        act === 'standing-order' &&
        (facts.by === null || facts.second === null || facts.by === facts.second)
      )
        refuse(index - 1, 'a standing order', 'two operators did not approve it')
    }
    if (facts.kind === 'result' && facts.won) won.add(facts.goal)
    if (facts.kind === 'split') splits.set(facts.id, facts.parts)
    if (facts.kind === 'reorganisation' && taxes.has(transferOf(facts)))
      taxes.get(transferOf(facts)).isGone = facts.gone
    if (facts.kind === 'transaction' && facts.type === 'tax')
      taxes.set(transferOf(facts), { month: facts.occurred_at.slice(0, 7), cents: centsOf(facts.amount_usd) })
    if (facts.kind === 'allocation') {
      const month = `${facts.chain_id}/${facts.month}`
      if (months.has(month)) refuse(index, 'an allocation', 'its month was divided before')
      months.set(month, facts)
      if (rulesOf(facts) >= 2) checkAllocation(facts, (why) => refuse(index, 'an allocation', why))
    }
    if (facts.kind !== 'standing-order') return
    const former = rules.get(facts.number)
    const isNew = facts.revision === 0 && facts.state === 'active' && !former
    const isEnd = facts.revision === 1 && facts.state === 'suspended' && former?.state === 'active'
    if (!isNew && !isEnd) refuse(index, 'a standing order', 'it is only made, and suspended once')
    if (isEnd && former.facts !== ruleFacts(facts))
      refuse(index, 'a standing order', 'it is not as it was approved')
    if (isNew && !(Date.parse(facts.ends_at) <= Date.parse(facts.recorded_at) + 366 * 86_400_000))
      refuse(index, 'a standing order', 'it ends after more than a year')
    waiting = { act: isNew ? 'standing-order' : 'suspend', id: facts.id }
    rules.set(facts.number, {
      payments: [],
      ...former,
      rule: facts,
      state: facts.state,
      facts: ruleFacts(facts),
    })
  }
  const checkAllocation = ({ standing, month, tax_usd: tax, recorded_at: at }, broken) => {
    const { rule } = rules.get(standing) ?? {}
    if (rule?.rule !== 'allocation') broken('it is by no standing order of this kind')
    const first = monthAfter(month)
    if (!first || !(Date.parse(at) >= Date.parse(`${first}-01T00:00:00Z`) + (rule.day - 1) * oneDay))
      broken('its day had not come')
    const taken = [...taxes.values()].filter((one) => one.month === month && !one.isGone)
    if (centsOf(tax) > taken.reduce((sum, { cents }) => sum + cents, 0n))
      broken('its tax is more than that of the rows of its month')
  }
  const checkPayment = ({ standing, occasion }, order, index) => {
    const found = rules.get(standing)
    const broken = (why) => refuse(index, 'a payment of a standing order', why)
    if (found?.state !== 'active') broken('the standing order does not exist, or it was suspended')
    const { rule, payments } = found
    const at = Date.parse(order.recorded_at)
    if (!(at <= Date.parse(rule.ends_at))) broken('the standing order had ended')
    const isFrom = (name) => order[name] === rule[name]
    if (!['account', 'chain_id', 'from_address', 'token_address'].every(isFrom))
      broken('the order is from another wallet or in another token')
    if (BigInt(order.token_amount) > BigInt(rule.order_limit))
      broken('the order is above the limit of one order')
    if (payments.some((one) => one.occasion === occasion && one.to === order.to_address))
      broken('the standing order made one for this occasion before')
    const isEnded = ({ order: { state } }) =>
      state === 'stopped' || state === 'expired' || (state === 'failed' && rulesOf(order) < 2)
    const [isLimited, time] =
      rule.rule === 'allocation' && rulesOf(order) >= 2
        ? [(one) => one.occasion === occasion, 'a month of tax']
        : [(one) => one.at > at - limitedTime, '30 days']
    const limited = payments.filter((one) => isLimited(one) && !isEnded(one))
    const sum = limited.reduce((total, one) => total + BigInt(one.amount), BigInt(order.token_amount))
    if (sum > BigInt(rule.month_limit)) broken(`the orders of ${time} are above its limit`)
    if (rule.rule === 'call') {
      if (order.to_address !== rule.to_address || order.token_amount !== rule.token_amount)
        broken('the order has another recipient or another amount')
      if (order.statement !== occasion) broken('the order answers another statement')
      if (payments.some((one) => one.at > at - rule.every_days * 86_400_000))
        broken(`it made another one in the ${rule.every_days} days before`)
    } else if (rule.rule === 'allocation') {
      const month = months.get(`${order.chain_id}/${occasion}`)
      if (!month) broken('the tax of its month was not divided before')
      const part = BigInt(splits.get(month.split)?.[order.recipient_account] ?? 0)
      const cents = (centsOf(month.tax_usd) * BigInt(rule.percent) * part) / 1_000_000n
      const isIts =
        month.standing === standing &&
        BigInt(order.token_amount) * 100n <= cents * 10n ** BigInt(order.token_decimals)
      if (rulesOf(order) >= 2 && !isIts) broken('the order is more than the part of its recipient')
      if (!['pool', 'wallet'].includes(order.recipient)) broken('the order is not to a wallet of ours')
    } else if (order.recipient !== 'goal' || order.recipient_account !== occasion)
      broken('the order is not to the goal that won')
    else if (!won.has(occasion)) broken('the log has no result by which its goal won')
    payments.push({ occasion, to: order.to_address, amount: order.token_amount, at, order: order.kept })
  }
  return { check, checkPayment }
}

/**
 * A function that checks each entry in turn. It throws Broken for an order that neither two operators nor a standing
 * order approved, for one that changes, is paid twice, too early or after its end, and for one that is paid without such a payment in the
 * ledger. It returns the number of payments so far from a wallet with an order, after its first order, without an
 * order.
 */
function orderChecker() {
  const orders = new Map()
  const wallets = new Set()
  /** The transfers from these wallets, as their newest row says. */
  const transfers = new Map()
  const used = new Set()
  const unordered = new Set()
  /** The transfers that a reorganisation removed, with the entry that says so. */
  const gone = new Map()
  const standing = standingChecker()
  const terms = termsChecker()
  /** What each goal asks for, in cents. */
  const targets = new Map()
  /** The orders that are sent, with their chains. */
  const sent = new Map()
  let isHeld = false
  let highest = 0
  /** The highest number of version 1, which left gaps, and how many orders have a later one. */
  let unnumbered = 0
  let numbered = 0
  let waiting = null
  const broken = (index, why) => {
    throw new Broken(`Entry ${index} is an order, and ${why}.`)
  }
  const followed = (facts, index) => {
    const { act, id, order } = waiting
    waiting = null
    if (act === 'order' && facts.kind === 'standing-payment' && facts.order === order.number) {
      standing.checkPayment(facts, order, index)
      order.kept.standing = facts.standing
      return
    }
    // A suspension stops the orders of its standing order, one after the other.
    if (act === 'stop' && order.kept.standing && facts.kind !== 'act') {
      const isNext = facts.kind === 'order' && facts.state === 'stopped'
      const isEnd = facts.kind === 'standing-order' && facts.number === order.kept.standing
      if (isNext ? orders.get(facts.number)?.standing !== order.kept.standing : !isEnd)
        broken(index - 1, 'the act that stopped it does not follow')
      return
    }
    const isIts =
      facts.kind === 'act' && facts.act === act && facts.made?.kind === 'order' && facts.made.id === id
    if (!isIts) broken(index - 1, 'the act that made it does not follow')
    if (act === 'order' && (facts.by === null || facts.second === null || facts.by === facts.second))
      broken(index - 1, 'two operators did not approve it')
  }
  const checkNew = (facts, index) => {
    if (facts.state !== 'announced' || orders.has(facts.number))
      broken(index, 'it does not begin as announced')
    if (!(Date.parse(facts.due_at) >= Date.parse(facts.recorded_at) + 3_600_000))
      broken(index, 'it is due within an hour of its approval')
    if (rulesOf(facts) >= 2) {
      numbered++
      terms.checkOrder(facts, (why) => broken(index, why))
      if (facts.recipient === 'goal') checkTarget(facts, index)
    }
    highest = Math.max(highest, facts.number)
    if (rulesOf(facts) < 2) unnumbered = highest
    wallets.add(facts.from_address)
  }
  const checkTarget = (facts, index) => {
    const unit = 10n ** BigInt(facts.token_decimals)
    const others = [...orders.values()].filter(
      ({ goal, state }) =>
        goal === facts.recipient_account && !['stopped', 'expired', 'failed'].includes(state),
    )
    const sum = others.reduce(
      (total, { amount }) => total + amount,
      (BigInt(facts.token_amount) * 100n) / unit,
    )
    if (!(sum <= targets.get(facts.recipient_account))) broken(index, 'its goal did not ask for as much')
  }
  const checkNext = (facts, index, former) => {
    const isAgain = former.state === 'paid' || former.state === 'failed'
    const mayMove = movesOf.get(former.state)?.includes(facts.state) && (!isAgain || rulesOf(facts) >= 3)
    if (facts.revision !== former.revision + 1 || !mayMove)
      broken(index, `it cannot go from ${printable(former.state)} to ${printable(facts.state)}`)
    if (orderFacts(facts) !== former.facts) broken(index, 'it is not as it was approved')
    if (facts.state === 'sent' && !(Date.parse(facts.recorded_at) >= Date.parse(facts.due_at)))
      broken(index, 'it was sent before its notice was over')
    const isNew = rulesOf(facts) >= 2
    if (isNew) checkEnd(facts, index, former)
    if (facts.state !== 'paid') return
    const transfer = transfers.get(transferOf(facts))
    const isAfter =
      former.rules >= 2
        ? transfer?.index > former.index && transfer.at >= former.since - clockDifference
        : transfer?.at >= former.since
    if (transfer?.payment !== paymentOf(facts) || !isAfter)
      broken(index, 'the ledger has no such payment after its approval')
    if (gone.has(transferOf(facts))) broken(index, 'a reorganisation removed its payment')
    if (used.has(transferOf(facts))) broken(index, 'another order has its payment')
    used.add(transferOf(facts))
    unordered.delete(transferOf(facts))
    // What people sent by hand the site does not send again.
    former.transfer = former.state === 'announced' || former.state === 'taken' ? null : transferOf(facts)
  }
  /** The moves that the rules of version 1 did not name. */
  const checkEnd = (facts, index, former) => {
    const at = Date.parse(facts.recorded_at)
    const end = Date.parse(facts.due_at) + 7 * oneDay
    if (facts.state === 'expired' && !(at >= end))
      broken(index, 'it expired within seven days after its notice')
    if (former.state === 'paid') {
      if (!gone.has(former.transfer)) broken(index, 'no reorganisation removed its payment')
      used.delete(former.transfer)
      sent.set(facts.number, facts.chain_id)
    } else if (facts.state === 'sent') {
      if (!(at < end)) broken(index, 'it was sent more than seven days after its notice')
      if (isHeld) broken(index, 'it was sent while payments were on hold')
      const other = [...sent].find(([, chain]) => chain === facts.chain_id)
      if (other) broken(index, `order ${printable(other[0])} was sent and had not ended`)
      sent.set(facts.number, facts.chain_id)
    } else sent.delete(facts.number)
    if (facts.state === 'lost') isHeld = true
    const isPaid = ([key, { payment }]) =>
      !gone.has(key) && key.startsWith(`${facts.chain_id}/${facts.tx_hash}/`) && payment === paymentOf(facts)
    if (['failed', 'lost'].includes(facts.state) && [...transfers].some(isPaid))
      broken(index, 'the ledger has the payment of this transaction')
  }
  const follow = (facts, index) => {
    if (waiting) followed(facts, index)
    else if (facts.kind === 'standing-payment') broken(index - 1, 'a standing order made it later')
    else if (facts.kind === 'act' && facts.made?.kind === 'order' && !madeState.has(facts.act))
      broken(index - 1, 'another act made it')
    if (facts.kind === 'transaction' && wallets.has(facts.from_address)) {
      // A reorganisation may have changed its amount.
      transfers.set(transferOf(facts), {
        ...{ payment: paymentOf(facts), at: Date.parse(facts.occurred_at) },
        index: transfers.get(transferOf(facts))?.index ?? (facts.revision === 0 ? index : -1),
      })
      if (facts.direction === 'out' && !used.has(transferOf(facts))) unordered.add(transferOf(facts))
    }
    if (facts.kind === 'order') {
      const former = orders.get(facts.number)
      if (facts.revision === 0) checkNew(facts, index)
      else if (!former) broken(index, 'it was never approved')
      else checkNext(facts, index, former)
      // One object for each order, because the payments of its standing order look up its state.
      const first = {
        ...{ since: Date.parse(facts.recorded_at), index, rules: rulesOf(facts) },
        goal: facts.recipient === 'goal' ? facts.recipient_account : null,
        amount: (BigInt(facts.token_amount) * 100n) / 10n ** BigInt(facts.token_decimals),
      }
      const kept = Object.assign(former ?? first, {
        revision: facts.revision,
        state: facts.state,
        facts: orderFacts(facts),
      })
      orders.set(facts.number, kept)
      const act = facts.revision === 0 ? 'order' : { stopped: 'stop', taken: 'take' }[facts.state]
      if (act) waiting = { act, id: facts.id, order: { ...facts, kept } }
    }
    if (facts.kind === 'goal' && facts.revision === 0) targets.set(facts.goal, centsOf(facts.target_usd))
    if (facts.kind === 'act' && facts.act === 'payments-hold') isHeld = true
    if (facts.kind === 'act' && facts.act === 'payments-release') isHeld = false
    if (facts.kind === 'reorganisation') {
      if (gone.has(transferOf(facts)) === facts.gone || typeof facts.gone !== 'boolean')
        throw new Broken(`Entry ${index} is a reorganisation that changes nothing.`)
      if (facts.gone) gone.set(transferOf(facts), index)
      else gone.delete(transferOf(facts))
    }
    terms.check(facts, index)
    standing.check(facts, index)
    return unordered.size
  }
  /** Throws Broken if the log ends before the act that its last entry needs, or lacks the number of an order. */
  const finish = (size) => {
    if (waiting) broken(size - 1, 'the act that made it does not follow')
    if (highest !== unnumbered + numbered)
      broken(orders.get(highest).index, 'the log lacks an order with a number before it')
  }
  return { check: follow, finish, gone }
}

/** The accounts of the shares of a vote on the split that does not name them (before version 3), in their order. */
const sixShares = 'education humanitarian-relief animal-welfare donation-wallet goals reserve'.split(' ')
/** The month after a month or a time, such as 2026-12; null for another text. */
function monthAfter(text) {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])/.exec(text) ?? []
  return year ? new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7) : null
}

/**
 * A function that checks each entry in turn. It throws Broken for a split of the fees that is not the valid result before
 * it or that of the standing order after it, for a valid result without its split, and for an allocation by another split.
 */
export function splitChecker() {
  const splits = []
  const namesOf = new Map()
  let before = {}
  const refuse = (index, why) => {
    throw new Broken(`Entry ${index} is a split of the fees, and ${why}.`)
  }
  return (facts, index) => {
    const { kind, cause, parts, from_month: from } = facts
    if (kind === 'split-vote') namesOf.set(facts.goal, sharesIn(facts))
    const isResult = before.kind === 'split-result' && before.valid
    if (isResult && !(kind === 'split' && cause === before.goal))
      throw new Broken(`Entry ${index - 1} is a valid result, and its split does not follow.`)
    const [, rule] = (before.kind === 'split' && /^standing-order (\d+)$/.exec(before.cause)) || []
    if (rule && !(kind === 'standing-order' && facts.rule === 'allocation' && `${facts.number}` === rule))
      refuse(index - 1, 'its standing order does not follow')
    if (kind === 'split') {
      const values = Object.values(parts ?? {})
      if (!values.every(isCount) || sumOf(values) !== 1000) refuse(index, 'its parts are not 1000 together')
      if (!isResult && !/^standing-order \d+$/.test(cause))
        refuse(index, 'neither a valid result nor a standing order made it')
      const isShare = (name, at) => parts?.[name] === before.shares?.[at]
      const names = namesOf.get(cause) ?? sixShares
      if (isResult && !(Object.keys(parts ?? {}).length === names.length && names.every(isShare)))
        refuse(index, 'its parts are not the shares of the result')
      if (isResult && from !== monthAfter(facts.recorded_at))
        refuse(index, 'it is not from the next month on')
      splits.push(facts)
    }
    if (kind === 'allocation') {
      const [split] = splits.filter((one) => one.from_month <= monthAfter(facts.month)).slice(-1)
      if (split?.id !== facts.split)
        throw new Broken(`Entry ${index} is an allocation, and another split holds in its month.`)
    }
    before = facts
  }
}

/**
 * The lines of a text that is read in pieces, as bytes, without their line feeds. Throws Broken if a line is longer
 * than an entry may be or the last line has no line feed.
 */
export async function* linesOf(pieces) {
  let rest = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : Buffer.from(piece)
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      checkLength(end - from)
      yield bytes.subarray(from, end)
      from = end + 1
    }
    rest = bytes.subarray(from)
    checkLength(rest.length)
  }
  if (rest.length > 0) throw new Broken('The export stopped halfway through an entry.')
}

function checkLength(bytes) {
  if (bytes > longestLine) throw new Broken('A line of the export is longer than an entry may be.')
}

/**
 * The members of an entry. Throws Broken unless the entry is spelled as JSON.stringify spells it: two JSON parsers
 * could otherwise read different values.
 */
function parseEntry(bytes, title) {
  let text = ''
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Broken(`${title} is not text in UTF-8.`)
  }
  return parseObject(text, title)
}

function parseObject(text, title) {
  const facts = parseJson(text)
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts))
    throw new Broken(`${title} is not a JSON object.`)
  if (JSON.stringify(facts) !== text) throw new Broken(`${title} is not written as JSON.stringify writes it.`)
  return facts
}

const isHash = (text) => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text)

/**
 * The published texts by hash. An entry contains only the hash of a salt and the text, so that a text can be withdrawn.
 * The salt must have exactly 32 bytes: with a salt of another length, the beginning of a text could be moved to the end
 * of its salt without changing the hash. collectHashes adds what the entries say: `indexes` has the first entry of each
 * hash, `withdrawals` the entries of kind withdrawal, `posts` the statements that are posts on X.
 */
function readTexts(file) {
  const texts = new Map()
  for (const [at, line] of readText(file).split('\n').filter(Boolean).entries()) {
    const {
      hash,
      salt,
      text,
      reason,
      withdrawn_index: index,
      withdrawn_at: withdrawnAt,
      post_url: post,
    } = parseObject(line, `Line ${at + 1} of ${file}`)
    if (!isHash(hash)) throw new Unchecked(`${file} is not a list of published texts.`)
    if (texts.has(hash)) throw new Broken(`The text ${hash} is listed twice.`)
    // The text of a post on X is published on X itself: its developer policy allows only ids in downloads.
    const isElsewhere = text === null && salt === null && withdrawnAt === null && isPost(post)
    const isWithdrawn = text === null && !isElsewhere
    if (text !== null) checkText(hash, salt, text)
    else if (isWithdrawn && (typeof reason !== 'string' || reason === ''))
      throw new Broken(`The text ${hash} was withdrawn without a reason.`)
    texts.set(hash, { hash, isElsewhere, isWithdrawn, reason, index, post })
  }
  return { texts, indexes: new Map(), withdrawals: new Map(), posts: new Map(), waiting: new Map() }
}

const post =
  /^https?:\/\/(?:www\.|mobile\.|m\.)?(?:x|twitter)\.com\/(?:i\/web|[^/?#]{1,50})\/status(?:es)?\/\d{1,20}(?:[/?#]|$)/i
const isPost = (url) => typeof url === 'string' && post.test(url)

function checkText(hash, salt, text) {
  if (!isHash(salt)) throw new Broken(`The salt of the text ${hash} is not 64 lower-case hex digits.`)
  // A lone surrogate has no UTF-8 encoding: it would be hashed as another character.
  if (typeof text !== 'string' || Buffer.from(text).toString() !== text)
    throw new Broken(`The text ${hash} is not a text.`)
  if (sha256(Buffer.from(salt, 'hex'), Buffer.from(text)).toString('hex') !== hash)
    throw new Broken(`The text with the hash ${hash} is not the one that was recorded:\n${printable(text)}`)
}

function collectHashes({ indexes, withdrawals, posts, waiting }, facts, index) {
  // The name and the words of an answer are published after the act `answer-words` about it.
  if (facts.kind === 'answer')
    for (const hash of [facts.name_hash, facts.words_hash])
      if (hash !== null) waiting.set(hash, `${facts.id}`)
  if (facts.kind === 'act' && facts.act === 'answer-words')
    for (const [hash, answer] of waiting) if (answer === facts.subject) waiting.delete(hash)
  if (facts.kind === 'withdrawal') {
    // A later entry about the same text changes nothing.
    if (!withdrawals.has(facts.text_hash)) withdrawals.set(facts.text_hash, { index, reason: facts.reason })
  } else if (facts.kind !== 'act' || !privateReasons.has(facts.act))
    for (const [name, hash] of Object.entries(facts))
      if (name.endsWith('_hash') && name !== 'tx_hash' && hash !== null && !indexes.has(hash))
        indexes.set(hash, index)
  if (facts.kind === 'statement' && isPost(facts.url))
    posts.set(
      facts.text_hash,
      [...(posts.get(facts.text_hash) ?? []), { url: facts.url, index }].slice(0, 100),
    )
}

/** Compares texts and entries in both directions. Hashes of entries that are not signed yet need no text. */
function reportTexts({ texts, indexes, withdrawals, posts, waiting }, signedSize) {
  const published = [...texts.values()]
  const foreign = published.filter(({ hash }) => !indexes.has(hash)).length
  if (foreign > 0) throw new Broken(`Published texts that belong to no entry of the log: ${foreign}.`)
  const withdrawn = published.filter(({ isWithdrawn }) => isWithdrawn)
  for (const { hash, reason, index } of withdrawn) {
    const entry = withdrawals.get(hash)
    if (!entry) throw new Broken(`The text ${hash} was withdrawn, but the log has no entry about it.`)
    if (entry.reason !== reason || (index !== undefined && index !== entry.index))
      throw new Broken(
        `The text ${hash} was withdrawn for another reason or by another entry than entry ${entry.index}.`,
      )
  }
  const elsewhere = published.filter(({ isElsewhere }) => isElsewhere)
  const isSigned = ({ index }) => index < signedSize
  for (const { hash, post } of elsewhere)
    if (
      !posts.get(hash)?.some((one) => one.url === post && (isSigned(one) || indexes.get(hash) >= signedSize))
    )
      throw new Broken(
        `The text ${hash} is not published, and no statement of the log says that it is this post.`,
      )
  const isWithdrawn = (hash) => withdrawals.has(hash) && isSigned(withdrawals.get(hash))
  const missing = [...indexes].filter(
    ([hash, index]) => index < signedSize && !texts.has(hash) && !isWithdrawn(hash) && !waiting.has(hash),
  )
  if (missing.length > 0)
    throw new Broken(
      `Hashes of signed entries without a text or a withdrawal: ${missing.length}. The first is in entry ${missing[0][1]}.\n` +
        'Texts are missing, or your list of texts is older than the checkpoint. Download the checkpoint first, then the texts, then the export.',
    )
  const unsigned = withdrawn.filter(({ hash }) => withdrawals.get(hash).index >= signedSize).length
  return [
    `The texts are those that were recorded: ${published.length - withdrawn.length - elsewhere.length}, and ${withdrawn.length} withdrawn.`,
    elsewhere.length > 0 &&
      `Texts of posts of X, which are published there and not checked here: ${elsewhere.length}.`,
    unsigned > 0 && `Withdrawals that are not signed yet: ${unsigned}.`,
  ]
}

// A site by its URL -----------------------------------------------------------------------------------------

async function checkSite(options) {
  const { subject, keys, since, remember, whole, anchors, rpc, anchorFrom, witnesses, quorum } = options
  const site = siteOf(subject)
  const prefix = `${site}/transparency/log`
  const file = remember ?? `${hostOf(site).replace(/[^\w.-]/g, '_')}.checkpoint.json`
  const kept = readKept(file)
  const trusted = keys.length > 0 ? keys : [await readSiteKey(kept, file, `${prefix}/vkey`)]
  const isFirst = keys.length === 0 && !kept
  const before = kept ? [openCheckpoint(kept.note, trusted, file)] : []
  const older = [...before, ...since.flatMap((one) => readCheckpoints(one, trusted))]
  // The checkpoint is read after the anchors, because it must not be older than the checkpoint of any anchor.
  const list = async () =>
    anchors ? readText(anchors) : ((await download(`${prefix}/anchors.ndjson`, true)) ?? '')
  const anchored = await readAnchors(list, rpc, anchorFrom)

  let latest = await readLatest(prefix, trusted, [...older, ...anchored.checkpoints])
  if (whole) latest = await checkWhole(site, prefix, trusted, latest, older, options.wait)
  if (whole && rpc) await checkRemovedOnChain(latest.removed, rpc)
  if (whole && rpc) await checkVotesOnChain(latest.votes, rpc)
  const compared = whole && rpc ? await checkCustodyOnChain(latest.controls, rpc) : 0
  const votes = options.votes ? await checkVotes(site, prefix, latest, options) : []
  const cosigned = cosignaturesOf(latest, witnesses, quorum)

  const vkey = trusted.find(({ name }) => name === latest.signer)?.vkey
  keep(file, { prefix, vkey, note: latest.note })
  return [
    `The log has ${count(latest.size)}, signed by ${latest.signer}.`,
    ...older.map((one) => `It begins with the ${count(one.size)} of ${one.title}.`),
    whole && `Every entry of the export is in it: ${latest.exported}.`,
    whole && saysUnnamed(latest.unnamed),
    whole && saysUnordered(latest.unordered),
    whole && saysRemoved(latest.removed),
    whole && saysShown(latest.shown, latest.controls, compared),
    ...(whole ? reportVotes(latest.votes, rpc) : []),
    ...votes,
    ...cosigned,
    ...anchored.lines,
    isFirst && `The key came from the site. Compare it with a copy from someone you trust.\n  ${vkey}`,
    older.length === 0 && 'Not checked: whether anything was rewritten before this first checkpoint.',
    notChecked(
      witnesses,
      !whole && 'the entries (--whole)',
      'the texts (check an export with --texts)',
      !anchored.isLookedUp && 'the anchors (--rpc)',
    ),
    `We saved the checkpoint in ${file}. Run this again later to see if anything was rewritten.`,
  ]
}

/** The site's newest checkpoint. Throws Broken unless its tiles have its root and it extends each of `older`. */
async function readLatest(prefix, trusted, older) {
  const latest = openCheckpoint(await download(`${prefix}/checkpoint`), trusted, `${prefix}/checkpoint`)
  requireEntries(latest, older)
  const readTile = tileReader(prefix, latest.size)
  if (!(await rootOf(latest.size, readTile)).equals(latest.root))
    throw new Broken('The tiles of the site do not have the root of its checkpoint.')
  for (const one of older) await checkGrowth(one, latest, readTile)
  return latest
}

/**
 * Checks the export against `latest`. If the export has entries that `latest` does not cover, waits and reads the next
 * checkpoint, which must cover them. Returns the checkpoint that covers the export, with the size of the export as
 * `exported`.
 */
async function checkWhole(site, prefix, trusted, latest, older, wait) {
  const { size, root, ...found } = await checkExport(bodyOf(`${site}/transparency/log.ndjson`), latest, older)
  if (size === latest.size) return { ...latest, exported: size, ...found }
  await new Promise((resolve) => setTimeout(resolve, wait))
  const next = await readLatest(prefix, trusted, [latest])
  if (next.size < size)
    throw new Unchecked(
      `Not signed yet: ${count(size - next.size)} of the export, after the ${next.size} that ${next.signer} has signed. ` +
        `We waited ${wait / 1000} seconds for another checkpoint. Nothing is proven about these entries.`,
    )
  if (!(await isBeginning({ size, root }, next, tileReader(prefix, next.size))))
    throw new Broken(`The export is not the beginning of the log that ${next.title} has signed.`)
  return { ...next, exported: size, ...found }
}

/** The URL of the site, without the path of a page below /transparency and without slashes at the end. */
function siteOf(url) {
  const [site = ''] = url.split(/\/transparency(?=\/|$)/)
  let end = site.length
  while (site[end - 1] === '/') end--
  return site.slice(0, end)
}

function hostOf(site) {
  try {
    return new URL(site).host
  } catch {
    throw new Unchecked(`${site} is not a URL.`)
  }
}

function keep(file, content) {
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(content)}\n`)
    renameSync(`${file}.new`, file)
  } catch (error) {
    throw new Unchecked(`${file} cannot be written: ${error.message}`)
  }
}

/** The key that was saved at the first run. At the first run, the key of the site. */
async function readSiteKey(kept, file, url) {
  return kept ? parseVerifierKey(kept.vkey, `The key in ${file}`) : parseVerifierKey(await download(url), url)
}

function readKept(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw new Unchecked(`${file} cannot be read: ${error.message}`)
  }
  const kept = parseJson(text)
  if (typeof kept?.note !== 'string' || typeof kept.vkey !== 'string')
    throw new Unchecked(`${file} is not a checkpoint that this program saved.`)
  return kept
}

/** Throws Broken if `older` belongs to another log or has more entries. */
function requireGrowth(older, latest) {
  if (older.origin !== latest.origin)
    throw new Broken(`${older.title} belongs to another log: ${older.origin}, not ${latest.origin}.`)
  if (older.size > latest.size)
    throw new Broken(
      `The log has shrunk: ${older.title} has ${count(older.size)}, now it has ${latest.size}.`,
    )
}

/** Throws Broken unless the tiles prove that the log of `latest` begins with the log of `older`. */
async function checkGrowth(older, latest, readTile) {
  requireGrowth(older, latest)
  if (!(await isBeginning(older, latest, readTile)))
    throw new Broken(
      `History was rewritten: the log does not begin with the ${count(older.size)} of ${older.title}.\n` +
        'Keep both: together they show two histories of one log.\n\n' +
        `${older.note}\n${latest.note}`,
    )
}

async function isBeginning(older, latest, readTile) {
  const path = await Promise.all(consistencyRanges(older.size, 0, latest.size, true).map(hashRange(readTile)))
  return verifyConsistency(older.size, latest.size, path, older.root, latest.root)
}

/**
 * Reads each tile once. If a partial tile no longer exists, reads the full tile, which begins with it (tlog-tiles,
 * 'Partial Tiles').
 */
function tileReader(prefix, size) {
  const tiles = new Map()
  return (level, index) => {
    const width = Math.min(tileWidth, Math.floor(size / tileWidth ** level) - index * tileWidth)
    const path = `tile/${level}/${pathOf(index)}`
    const read = async () => {
      const partial = width < tileWidth && (await download(`${prefix}/${path}.p/${width}`, true, true))
      const bytes = partial || (await download(`${prefix}/${path}`, false, true))
      if (bytes.length < width * 32 || bytes.length % 32 !== 0)
        throw new Broken(`${path} is truncated: it has ${bytes.length} bytes, not ${width * 32}.`)
      return bytes.subarray(0, width * 32)
    }
    if (!tiles.has(path)) tiles.set(path, read())
    return tiles.get(path)
  }
}

function pathOf(index) {
  const digits = `${index}`.padStart(3 * Math.ceil(`${index}`.length / 3), '0')
  return digits.replace(/\d{3}(?=\d)/g, 'x$&/')
}

/**
 * The text of a URL, or its bytes if `isBinary`. Returns null for status 404 if `mayBeMissing`. Throws Unchecked for
 * any other fault.
 */
async function download(url, mayBeMissing = false, isBinary = false) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeout) })
    if (response.status === 404 && mayBeMissing) return null
    if (!response.ok) throw new Unchecked(`${url} responded with status ${response.status}.`)
    const bytes = await collect(response.body, url)
    return isBinary ? bytes : bytes.toString()
  } catch (error) {
    if (error instanceof Unchecked) throw error
    throw new Unchecked(`${url} cannot be read: ${reasonOf(error)}`)
  }
}

const reasonOf = (error) => printable(error.cause?.message || error.message)

async function collect(body, url) {
  const pieces = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > longestAnswer) throw new Unchecked(`${url} sent too much.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** The body of a URL in pieces. Throws Unchecked if it stops for longer than the timeout, or is slower than `slowest`. */
async function* bodyOf(url) {
  const stop = new AbortController()
  const [start, late] = [Date.now(), new Error('it stopped, or it is too slow')]
  let timer
  let length = 0
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stop.abort(late), timeout)
  }
  try {
    wait()
    const response = await fetch(url, { signal: stop.signal })
    if (!response.ok) throw new Error(`status ${response.status}`)
    for await (const piece of response.body ?? []) {
      wait()
      length += piece.length
      if (Date.now() - start > timeout + length / slowest) throw late
      yield piece
    }
  } catch (error) {
    throw new Unchecked(`${url} cannot be read: ${reasonOf(error)}`)
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

// Anchors ---------------------------------------------------------------------------------------------------

/**
 * Looks up the newest anchors on the chain, if `rpc` is given. An anchor is a transaction whose data is the text of a
 * checkpoint: no one can change the data later, so the anchor proves that the root existed when its block was made.
 *
 * The list comes from the site, so it could omit an anchor that contradicts the log. `senders` are the
 * addresses that the user knows: the number of transactions that the chain has from an address shows whether
 * the list is complete.
 */
async function readAnchors(readList, rpc, senders) {
  if (!rpc) {
    const { length } = parseAnchors(await readList())
    const line =
      length > 0 &&
      `Anchors not looked up: ${length}. Give --rpc an endpoint to check them on the blockchain.`
    return { checkpoints: [], isLookedUp: false, lines: [line] }
  }
  // The numbers are read before the list: an anchor is in the list before it is sent.
  const sent = []
  for (const sender of senders) sent.push([sender, await countSent(rpc, sender)])
  const anchors = parseAnchors(await readList())
  const foreign = senders.length > 0 && anchors.find(({ address }) => !senders.includes(address))
  if (foreign)
    throw new Broken(
      `The anchor ${foreign.tx_hash} comes from ${foreign.address}, not from ${senders.join(' or ')}.`,
    )
  // An anchor is lost if another transaction of the same address took its place.
  const live = anchors.filter(({ status }) => status !== 'lost')
  const groups =
    senders.length > 0 ? senders.map((one) => live.filter(({ address }) => address === one)) : [live]
  const newest = groups.flatMap((group) => group.slice(-mostAnchors))
  const found = []
  for (const anchor of newest) {
    const one = await readAnchor(anchor, rpc)
    if (one) found.push(one)
    else if (anchor !== live.at(-1))
      throw new Unchecked(`The endpoint has no transaction in a block for the anchor ${anchor.tx_hash}.`)
  }
  for (const [sender, number] of sent) requireComplete(sender, number, found)
  const addresses = [...new Set(found.map(({ sender }) => sender))].join(', ')
  return {
    checkpoints: found,
    isLookedUp: true,
    lines: [
      `Anchors on the blockchain that match the log, according to ${hostOf(rpc)}: ${found.length}.`,
      newest.length > found.length && `Not in a block yet: the newest anchor (${live.at(-1).tx_hash}).`,
      live.length > newest.length && `Not looked up: ${live.length - newest.length} older anchors.`,
      senders.length === 0 &&
        found.length > 0 &&
        `They come from ${addresses}. Compare the address with a copy from someone you trust.`,
      senders.length === 0 && 'Not checked: whether the list leaves out anchors (--anchor-from).',
    ],
  }
}

function parseAnchors(list) {
  const anchors = list.split('\n').filter(Boolean).map(parseJson)
  if (!anchors.every((one) => /^0x[0-9a-f]{64}$/.test(one?.tx_hash) && isAddress(one.address)))
    throw new Unchecked('The list of anchors is malformed.')
  if (new Set(anchors.map((one) => one.tx_hash)).size < anchors.length)
    throw new Unchecked('The list of anchors has an anchor twice.')
  return anchors
}

/** The number of transactions that an address has sent. */
async function countSent(rpc, address) {
  const number = await call(rpc, 'eth_getTransactionCount', [address, 'latest'])
  if (!isQuantity(number))
    throw new Unchecked('The endpoint sent a malformed result of eth_getTransactionCount.')
  return Number(number)
}

const isQuantity = (text) => typeof text === 'string' && /^0x[0-9a-f]{1,12}$/.test(text)

/** An address sends nothing but anchors, so each of its newest transactions must be an anchor that was looked up. */
function requireComplete(sender, number, found) {
  const nonces = new Set(found.filter((one) => one.sender === sender).map(({ nonce }) => nonce))
  for (let nonce = number - 1; nonce >= Math.max(0, number - mostAnchors); nonce--)
    if (!nonces.has(nonce))
      throw new Unchecked(
        `No anchor that we looked up is transaction ${nonce} of ${sender}, which has sent ${number}.\n` +
          'The list leaves it out, or is old: download it again, and look the address up in a block explorer.',
      )
}

/** The checkpoint of an anchor, or null if the anchor is not in a block yet. */
async function readAnchor({ tx_hash: hash, address, block_number: number }, rpc) {
  let transaction = await call(rpc, 'eth_getTransactionByHash', [hash])
  let receipt = await call(rpc, 'eth_getTransactionReceipt', [hash])
  // Many nodes forget after some months in which block a transaction is, and still have the block.
  if (!(transaction && receipt) && isCount(number)) {
    const at = `0x${number.toString(16)}`
    const block = await call(rpc, 'eth_getBlockByNumber', [at, true])
    transaction = block?.transactions?.find((one) => one.hash === hash)
    const receipts = transaction && (await call(rpc, 'eth_getBlockReceipts', [at]))
    receipt = receipts?.find((one) => one.transactionHash === hash)
  }
  if (!transaction || !receipt) return null
  const sender = `${transaction.from}`.toLowerCase()
  if (!isAddress(sender) || !isQuantity(transaction.nonce) || !isQuantity(receipt.blockNumber))
    throw new Unchecked(`The endpoint sent a malformed transaction for the anchor ${hash}.`)
  if (sender !== address) throw new Broken(`The anchor ${hash} comes from ${sender}, not from ${address}.`)
  if (receipt.status !== '0x1') throw new Broken(`The anchor ${hash} failed on the blockchain.`)
  const text = Buffer.from(`${transaction.input}`.slice(2), 'hex').toString()
  const checkpoint = parseCheckpoint(text, `The anchor ${hash}`)
  const title = `the anchor in block ${Number(receipt.blockNumber)} (${hash})`
  return { ...checkpoint, sender, nonce: Number(transaction.nonce), title, note: text }
}

async function call(rpc, method, params) {
  try {
    const response = await fetch(rpc, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeout),
    })
    const answer = parseJson((await collect(response.body, 'The endpoint')).toString())
    if (typeof answer !== 'object' || answer === null || !('result' in answer))
      throw new Error(printable(answer?.error?.message ?? `status ${response.status}`))
    return answer.result
  } catch (error) {
    throw new Unchecked(`The endpoint did not respond to ${method}: ${reasonOf(error)}`)
  }
}

// Signed notes and checkpoints ------------------------------------------------------------------------------

const ed25519Type = 1
/** tlog-cosignature, 'Format'. */
const cosignatureType = 4

/** The verifier key of a parameter, or of the file that the parameter names. */
function readVerifierKey(given, type = ed25519Type) {
  return parseVerifierKey(/^[^+\s]+\+[0-9a-f]{8}\+/.test(given) ? given : readText(given), given, type)
}

/** A verifier key (signed-note, 'Verifier keys'). */
function parseVerifierKey(text, source, type = ed25519Type) {
  const vkey = text.replace(/\n$/, '')
  const [, name, id, base64] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(vkey) ?? []
  const bytes = base64 && decodeBase64(base64)
  if (bytes?.length !== 33 || bytes[0] !== type)
    throw new Unchecked(
      type === cosignatureType
        ? `${source} is not the verifier key of a witness (an Ed25519 key for cosignatures).`
        : `${source} is not the verifier key of an Ed25519 key.`,
    )
  const expected = sha256(Buffer.from(`${name}\n`), bytes)
    .subarray(0, 4)
    .toString('hex')
  if (id !== expected)
    throw new Unchecked('The key ID of the verifier key does not belong to its name and key.')
  const key = bytes.subarray(1)
  if (isWeak(key)) throw new Unchecked('The verifier key is of small order: anyone can sign for it.')
  // The fixed beginning of an Ed25519 key in DER, then its 32 bytes.
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key])
  return { vkey, name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

/** True for a point of small order, and for a y coordinate that is not below the field's prime (RFC 8032 §5.1.3). */
function isWeak(key) {
  const y = Buffer.from(key)
  y[31] &= 0x7f
  const hex = y.toString('hex')
  const torsion = [
    '00'.repeat(32),
    `01${'00'.repeat(31)}`,
    `ec${'ff'.repeat(30)}7f`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ]
  return torsion.includes(hex) || new RegExp(`^(e[def]|f.)${'ff'.repeat(30)}7f$`).test(hex)
}

/**
 * The checkpoints of a file: a note, a file that this program saved, or an archive with one checkpoint on each line.
 */
function readCheckpoints(file, keys) {
  const text = readText(file)
  if (!text.startsWith('{')) return [openCheckpoint(text, keys, file)]
  const notes = text
    .split('\n')
    .filter(Boolean)
    .map((line) => parseJson(line)?.note)
  if (notes.length === 0 || !notes.every((note) => typeof note === 'string'))
    throw new Unchecked(`${file} is not a checkpoint.`)
  return notes.map((note) => openCheckpoint(note, keys, file))
}

/** Opens a note (signed-note, 'Format' and 'Signatures') that one of the keys must have signed for its own log. */
function openCheckpoint(note, keys, source) {
  const end = note.lastIndexOf('\n\n')
  const lines = note.slice(end + 2).split('\n')
  const isText = [...note].every(
    (character) => character === '\n' || (character >= ' ' && character !== '\ufffd'),
  )
  if (!isText || end < 0 || lines.pop() !== '' || lines.length === 0 || lines.length > 100)
    throw new Broken(`${source} is not a signed checkpoint.`)
  const text = note.slice(0, end + 1)
  let signer = null
  const signatures = []
  for (const line of lines) {
    const [, name, base64] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? []
    const bytes = base64 && decodeBase64(base64)
    if (!bytes || bytes.length < 5)
      throw new Broken(`${source} has something that is not a signature: ${line}`)
    const id = bytes.subarray(0, 4).toString('hex')
    signatures.push({ name, id, signature: bytes.subarray(4) })
    const known = keys.find((key) => key.name === name && key.id === id)
    if (!known) continue
    if (!verify(null, Buffer.from(text), known.key, bytes.subarray(4)))
      throw new Broken(`The signature of ${name} in ${source} is wrong.`)
    signer ??= name
  }
  if (!signer)
    throw new Broken(`${source} is not signed with the verifier key ${keys.map(({ vkey }) => vkey)}.`)
  const checkpoint = parseCheckpoint(text, source)
  if (checkpoint.origin !== signer)
    throw new Broken(
      `${source} belongs to another log: ${checkpoint.origin}, but the key belongs to ${signer}.`,
    )
  const title = `the checkpoint of ${checkpoint.size} (${source})`
  return { ...checkpoint, signer, note, text, signatures, title }
}

/**
 * Verifies the lines of these witnesses (tlog-cosignature). Returns a line of the report for each witness that has
 * cosigned. Throws Broken if a line is wrong or fewer than `quorum` have cosigned, and Unchecked if none of them has.
 */
function cosignaturesOf({ text, signatures, title }, witnesses, quorum) {
  const found = []
  for (const witness of witnesses) {
    const times = signatures
      .filter(({ name, id }) => name === witness.name && id === witness.id)
      .map(({ signature }) => timeOf(signature, witness, text, title))
    if (times.length > 0) found.push([witness.name, times.sort().at(-1)])
  }
  if (witnesses.length > 0 && found.length === 0)
    throw new Unchecked(
      `None of the witnesses has cosigned ${title}. Just after a change, try again in a minute.`,
    )
  if (found.length < quorum)
    throw new Broken(
      `Only ${found.length} of ${witnesses.length} witnesses have cosigned ${title}; ${quorum} must.`,
    )
  return found.map(([name, time]) => `Cosigned by ${name} at ${time}, by the clock of the witness.`)
}

/** The time of a cosignature: 8 bytes, before the 64 bytes of the signature. */
function timeOf(signature, { name, key }, text, title) {
  const time = signature.length === 72 ? signature.readBigUInt64BE() : 0n
  const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)
  if (time === 0n || !verify(null, message, key, signature.subarray(8)))
    throw new Broken(`The cosignature of ${name} is wrong in ${title}.`)
  if (Number(time) > Date.now() / 1000 + mostAhead)
    throw new Broken(`The cosignature of ${name} has a time in the future in ${title}.`)
  return new Date(Number(time) * 1000).toISOString().replace('.000', '')
}

/** Origin, size and root (tlog-checkpoint, 'Note text'). */
function parseCheckpoint(text, source) {
  const [origin, size, base64, ...rest] = text.split('\n')
  const isNote = origin && /^(0|[1-9]\d{0,15})$/.test(size) && rest.pop() === '' && rest.every(Boolean)
  const root = isNote && decodeBase64(base64)
  if (root?.length !== 32 || !Number.isSafeInteger(Number(size)))
    throw new Broken(`${source} does not say the size and the root of a log.`)
  return { origin, size: Number(size), root }
}

// Hashes and proofs of RFC 6962 -----------------------------------------------------------------------------

function sha256(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const leafHash = (entry) => sha256(Uint8Array.of(0), entry)
const nodeHash = (left, right) => sha256(Uint8Array.of(1), left, right)

/** A tree to which entries are appended. It stores only the roots of the complete subtrees. */
class GrowingTree {
  size = 0
  #subtrees = []

  /** Appends an entry, and returns its leaf hash. */
  append(entry) {
    const leaf = leafHash(entry)
    let hash = leaf
    for (let rest = this.size; rest % 2 === 1; rest = Math.floor(rest / 2))
      hash = nodeHash(this.#subtrees.pop(), hash)
    this.#subtrees.push(hash)
    this.size++
    return leaf
  }

  root() {
    if (this.size === 0) return sha256()
    return this.#subtrees.reduceRight((right, left) => nodeHash(left, right))
  }
}

/** Verifies an inclusion proof (RFC 9162 §2.1.3.2). */
function verifyInclusion(leaf, index, size, path, root) {
  if (index >= size) return false
  let [node, last, hash] = [index, size - 1, leaf]
  for (const sibling of path) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash)
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)]
    } else hash = nodeHash(hash, sibling)
    ;[node, last] = [Math.floor(node / 2), Math.floor(last / 2)]
  }
  return last === 0 && hash.equals(root)
}

/** Verifies a consistency proof (RFC 9162 §2.1.4.2). */
function verifyConsistency(from, to, path, fromRoot, toRoot) {
  if (from === 0) return path.length === 0 && fromRoot.equals(sha256())
  if (from === to) return path.length === 0 && fromRoot.equals(toRoot)
  let [node, last] = [from - 1, to - 1]
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)]
  const [first, ...rest] = node === 0 ? [fromRoot, ...path] : path
  let [older, newer] = [first, first]
  for (const sibling of rest) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      older = nodeHash(sibling, older)
      newer = nodeHash(sibling, newer)
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)]
    } else newer = nodeHash(newer, sibling)
    ;[node, last] = [Math.floor(node / 2), Math.floor(last / 2)]
  }
  return last === 0 && older?.equals(fromRoot) && newer.equals(toRoot)
}

/** The ranges whose tree hashes are a consistency proof (SUBPROOF of RFC 6962 §2.1.2). */
function consistencyRanges(from, begin, end, isKnown) {
  if (from === 0) return []
  if (from === end) return isKnown ? [] : [[begin, end]]
  const middle = begin + 2 ** Math.ceil(Math.log2(end - begin) - 1)
  return from <= middle
    ? [...consistencyRanges(from, begin, middle, isKnown), [middle, end]]
    : [...consistencyRanges(from, middle, end, false), [begin, middle]]
}

/** The tree hash of a range, from the tiles that contain its complete subtrees. */
function hashRange(readTile) {
  return async ([begin, end]) => {
    const hashes = []
    for (let at = begin; at < end; ) {
      let height = 0
      while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= end) height++
      hashes.push(await subtreeHash(readTile, height, at / 2 ** height))
      at += 2 ** height
    }
    return hashes.reduceRight((right, left) => nodeHash(left, right))
  }
}

async function subtreeHash(readTile, height, index) {
  const level = Math.floor(height / 8)
  const width = 2 ** (height % 8)
  const first = index * width
  const bytes = await readTile(level, Math.floor(first / tileWidth))
  const from = 32 * (first % tileWidth)
  return pairHashes(hashesOf(bytes.subarray(from, from + 32 * width)))
}

const hashesOf = (bytes) =>
  Array.from({ length: bytes.length / 32 }, (_, at) => bytes.subarray(32 * at, 32 * at + 32))

/** The root of a complete subtree whose lowest hashes are given. */
function pairHashes(hashes) {
  if (hashes.length === 1) return hashes[0]
  const half = hashes.length / 2
  return nodeHash(pairHashes(hashes.slice(0, half)), pairHashes(hashes.slice(half)))
}

export const rootOf = (size, readTile) => hashRange(readTile)([0, size])

// Votes -----------------------------------------------------------------------------------------------------

/** The blocks of a week, the largest window of a draw. */
const largestWindow = 1_344_000
/** The least time in which the blocks of a draw lie, in seconds, and how often a vote may be void until two operators act. */
const leastWindow = 86_400
const mostVoids = 3
/** How far the time of a ballot may be ahead, in milliseconds. */
const ballotAhead = 2 * 60_000
const alwaysExcluded = [`0x${'0'.repeat(40)}`, '0x000000000000000000000000000000000000dead']
const subjectKinds = new Set(['goal', 'split-vote'])
const voteKinds = new Set(['draw', 'vote', 'void', 'ballot', 'result', 'split-result'])
const oneDay = 24 * 60 * 60_000

const isAmount = (text) => typeof text === 'string' && /^(0|[1-9]\d{0,77})$/.test(text)
const isCount = (number) => Number.isSafeInteger(number) && number >= 0
const isPercent = (text) => typeof text === 'string' && /^\d{1,3}(\.\d{1,2})?$/.test(text)
const isBlock = (block) => isCount(block?.number) && /^0x[0-9a-f]{64}$/.test(block.hash)
const timeIn = (text) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/.test(text) ? Date.parse(text) : Number.NaN

/**
 * Counts the votes again from the entries of a log, which it gets in order. `check` throws Broken for an entry that the
 * rules of format.md do not allow. `votes` has every vote so far, each with its standings and sums. `isWhole`: it gets
 * every entry of the log, and not those of one vote.
 */
export function voteCounter(isWhole = false) {
  const goals = new Map()
  const votes = []
  let split = null
  let isUnapproved = false
  /** Our wallets by chain, as the newest entry about payments names them, and how often two operators let each vote be drawn again. */
  const ours = new Map()
  const redraws = new Map()
  const check = (facts, line, index) => {
    const isOpening = facts.act === 'split-vote' && facts.made?.id === split?.id && facts.by !== null
    if (isWhole && isUnapproved && !isOpening)
      throw new Broken(
        `Entry ${index - 1} opens a vote on the split, and the act of two operators does not follow.`,
      )
    isUnapproved = false
    if (facts.kind === 'payment-terms')
      ours.set(
        facts.chain_id,
        facts.wallets?.map(({ address }) => address),
      )
    if (facts.act === 'redraw') redraws.set(facts.subject, 1 + (redraws.get(facts.subject) ?? 0))
    if (!subjectKinds.has(facts.kind) && !voteKinds.has(facts.kind)) return
    const { kind, goal } = facts
    const refuse = (fault) => {
      throw new Broken(`Entry ${index} (${kind}) of the vote on ${printable(goal)}: ${fault}.`)
    }
    if (typeof goal !== 'string' || Number.isNaN(timeIn(facts.recorded_at))) refuse('it is malformed')
    const known = goals.get(goal) ?? {}
    goals.set(goal, known)
    if (kind === 'goal') {
      if (facts.revision === 0) Object.assign(known, { leaf: hexOf(leafHash(line)), endsAt: facts.ends_at })
      return
    }
    if (kind === 'split-vote') {
      requireSplit(facts, split, refuse)
      if (known.leaf) refuse('it is open already')
      Object.assign(known, {
        ...{ leaf: hexOf(leafHash(line)), endsAt: facts.ends_at },
        limits: { names: sharesIn(facts), least: facts.least, most: facts.most },
      })
      split = facts
      isUnapproved = true
      return
    }
    if (!known.leaf) refuse('there is no entry of the goal or of the split before it')
    const { draw, vote } = known
    if (kind === 'draw') {
      if (draw) refuse('an earlier draw is still valid')
      if (![facts.chain_id, facts.start_block, facts.seed_block].every(isCount)) refuse('it is malformed')
      if (facts.seed_block - facts.start_block < 2) refuse('its seed block is too early')
      if (rulesOf(facts) >= 2) {
        requireTerms(facts, ours.get(facts.chain_id) ?? [], refuse)
        known.attempts = 1 + (known.attempts ?? 0)
        if (facts.attempt !== known.attempts) refuse(`it is draw ${known.attempts}, and says another number`)
        const { voids = 0 } = known
        if (isWhole && voids >= mostVoids * (1 + (redraws.get(goal) ?? 0)))
          refuse(`the vote was void ${voids} times, and two operators did not let it be drawn again`)
      }
      Object.assign(known, { draw: facts, drawIndex: index })
      return
    }
    if (kind === 'vote') {
      if (!draw) refuse('it has no draw')
      if (vote) refuse('the vote is open already')
      known.vote = openVote(facts, line, index, draw, known, refuse)
      votes.push(known.vote)
      return
    }
    // A draw without a vote is void if its seed block is older than it is: only the blockchain knows.
    if (kind === 'void' && draw && !vote && rulesOf(facts) >= 2) {
      if (!isBlock(facts.block) || facts.block.number !== draw.seed_block)
        refuse('it names no block of the draw')
      votes.push({
        isVoid: true,
        isDraw: true,
        ballots: 0,
        facts,
        draw,
        index: known.drawIndex,
        voidIndex: index,
      })
      Object.assign(known, { draw: undefined, voids: 1 + (known.voids ?? 0) })
      return
    }
    if (!vote || vote.facts === undefined) refuse('no vote is open')
    if (vote.result) refuse('the vote has its result already')
    if (kind === 'ballot') countBallot(vote, facts, index, refuse)
    else if (kind === 'void') {
      const { block, seed } = vote.facts
      const former = [block, seed].find(({ number }) => number === facts.block?.number)
      if (!isBlock(facts.block) || !former) refuse('it names no block of the vote')
      if (former.hash === facts.block.hash) refuse('the block has the hash that the vote names')
      Object.assign(vote, { isVoid: true, voidIndex: index })
      Object.assign(known, { draw: undefined, vote: undefined, voids: 1 + (known.voids ?? 0) })
    } else {
      if ((kind === 'split-result') !== Boolean(vote.limits)) refuse('it is a result of another kind')
      if (vote.limits) requireSplitResult(vote, facts, refuse)
      else requireResult(vote, facts, refuse)
      vote.result = { facts, index }
    }
  }
  return { check, votes }
}

/** The number of blocks among which a draw chooses. */
const windowOf = ({ seed_block, start_block }) =>
  Math.min(largestWindow, Math.floor((seed_block - start_block) / 2))

/** The accounts of the shares of a vote on the split. */
const sharesIn = (facts) => (rulesOf(facts) >= 3 ? facts.names : sixShares)
/** Whether a list names shares: pools, and then those that are none. */
const isShares = (list) =>
  Array.isArray(list) &&
  list.length <= 50 &&
  new Set(list).size === list.length &&
  list.every((name) => /^[a-z][a-z-]{0,49}$/.test(name)) &&
  `${list.slice(-3)}` === `${sixShares.slice(-3)}`
/** Whether a list has this many percentages, each from 0 to 100. */
const isPercentages = (list, many) =>
  Array.isArray(list) && list.length === many && list.every((one) => isCount(one) && one <= 100)
const sumOf = (list) => list.reduce((sum, one) => sum + one, 0)

function requireSplit(facts, former, refuse) {
  const { goal, id, least, most, recorded_at, ends_at } = facts
  const names = sharesIn(facts)
  const isWhole =
    isShares(names) &&
    [least, most].every((list) => isPercentages(list, names.length)) &&
    !Number.isNaN(timeIn(ends_at))
  if (!isWhole || goal !== `split-${id}`) refuse('it is malformed')
  if (sumOf(least) > 100 || sumOf(most) < 100 || least.some((one, at) => one > most[at]))
    refuse('no ballot could be within its limits')
  const days = (timeIn(ends_at) - timeIn(recorded_at)) / oneDay
  if (days < 7 || days > 14) refuse('it is not open for 7 to 14 days')
  if (former && timeIn(recorded_at) - timeIn(former.recorded_at) < 30 * oneDay)
    refuse('another vote on the split was opened in the 30 days before')
}

/** The terms that a draw names before its seed block exists (since version 2). `wallets` are ours. */
function requireTerms({ token_address: token, excluded, quorum_percent, window_seconds }, wallets, refuse) {
  const isWhole =
    isAddress(token) && Array.isArray(excluded) && excluded.every(isAddress) && isPercent(quorum_percent)
  if (!isWhole || !isCount(window_seconds)) refuse('it is malformed')
  if (window_seconds < leastWindow) refuse('the blocks that it can choose lie within less than a day')
  requireExcluded(excluded, token, refuse)
  if (!wallets.every((address) => excluded.includes(address))) refuse('a wallet of ours is not excluded')
}

function requireExcluded(addresses, token, refuse) {
  if (addresses.some((address, at) => at > 0 && address <= addresses[at - 1]))
    refuse('the excluded addresses are not in order')
  if (![...alwaysExcluded, token].every((address) => addresses.includes(address)))
    refuse('an excluded address is not named')
}

/** The percentages of a ballot on the split, or null unless they are whole, add up to 100 and are within the limits. */
function percentagesOf(choice, { least, most }) {
  if (!/^(0|[1-9]\d?|100)( (0|[1-9]\d?|100)){2,49}$/.test(choice)) return null
  const parts = choice.split(' ').map(Number)
  return parts.length === least.length &&
    sumOf(parts) === 100 &&
    parts.every((part, at) => part >= least[at] && part <= most[at])
    ? parts
    : null
}

function openVote(facts, line, index, draw, { leaf, endsAt, limits }, refuse) {
  const { seed, block, excluded, supply, quorum_percent: percent } = facts
  const isWhole =
    isBlock(seed) &&
    isBlock(block) &&
    isAddress(facts.token_address) &&
    isCount(facts.token_decimals) &&
    Array.isArray(excluded) &&
    excluded.every((one) => isAddress(one?.address) && isAmount(one.balance)) &&
    [supply, facts.eligible, facts.quorum, facts.least_weight].every(isAmount) &&
    isPercent(percent) &&
    !Number.isNaN(timeIn(facts.closes_at))
  if (!isWhole) refuse('it is malformed')
  if (facts.goal_leaf !== leaf) refuse('it is about another text')
  if (facts.closes_at !== endsAt) refuse('it does not close when its goal or split ends')
  if (facts.chain_id !== draw.chain_id) refuse('its chain is not that of the draw')
  if (seed.number !== draw.seed_block) refuse('its seed is not the block of the draw')
  const window = windowOf(draw)
  if (block.number !== seed.number - window - Number(BigInt(seed.hash) % BigInt(window)))
    refuse('its block is not the one that the seed chooses')
  const addresses = excluded.map(({ address }) => address)
  requireExcluded(addresses, facts.token_address, refuse)
  if (
    rulesOf(draw) >= 2 &&
    (draw.token_address !== facts.token_address ||
      draw.quorum_percent !== percent ||
      `${draw.excluded}` !== `${addresses}`)
  )
    refuse('its token, quorum or excluded addresses are not those of the draw')
  const eligible = excluded.reduce((rest, { balance }) => rest - BigInt(balance), BigInt(supply))
  if (`${eligible}` !== facts.eligible)
    refuse('the eligible weight is not the supply without the excluded balances')
  const [whole, fraction = ''] = percent.split('.')
  const quorum = (eligible * BigInt(whole + fraction.padEnd(2, '0')) + 9_999n) / 10_000n
  if (`${quorum}` !== facts.quorum) refuse('the quorum is not its percentage of the eligible weight')
  if (`${eligible / 1_000_000n}` !== facts.least_weight)
    refuse('the least weight is not a millionth of the eligible weight')
  return {
    ...{
      facts,
      index,
      draw,
      limits,
      leaf: hexOf(leafHash(line)),
      addresses: new Set(addresses),
      ballots: 0,
      weight: 0n,
    },
    ...{ standing: new Map(), weights: new Map(), seen: new Set(), result: null, isVoid: false },
  }
}

function countBallot(vote, facts, index, refuse) {
  const { goal, number, wallet, choice, time, weight } = facts
  const isWhole =
    isAddress(wallet) &&
    (vote.limits ? typeof choice === 'string' : choice === 'support' || choice === 'against') &&
    isAmount(weight) &&
    /^[^.]+$/.test(time)
  const at = timeIn(time)
  if (!isWhole || Number.isNaN(at)) refuse('it is malformed')
  if (vote.limits && !percentagesOf(choice, vote.limits))
    refuse('its percentages do not add up to 100, or are beyond the limits')
  if (number !== vote.ballots + 1)
    refuse(`it has the number ${printable(number)}, but ${vote.ballots + 1} comes next`)
  const opened = Math.floor(timeIn(vote.facts.recorded_at) / 1000) * 1000
  const latest = Math.min(timeIn(facts.recorded_at), timeIn(vote.facts.closes_at)) + ballotAhead
  if (at < opened || at > latest) refuse('its time is before the opening, or too late')
  const { text, digest } = ballotText({ goal, choice, wallet, time }, vote)
  if (signerOf(text, facts.signature) !== wallet) refuse('the wallet did not sign it')
  if (vote.seen.has(digest)) refuse('it is there twice')
  if (vote.addresses.has(wallet)) refuse('the address is excluded')
  if (BigInt(weight) === 0n || BigInt(weight) < BigInt(vote.facts.least_weight))
    refuse('it is lighter than the least weight')
  const before = vote.weights.get(wallet)
  if (before && before.weight !== weight) refuse(`its weight differs from that in entry ${before.index}`)
  if (!before) vote.weight += BigInt(weight)
  if (vote.weight > BigInt(vote.facts.eligible)) refuse('the weights together are more than what may vote')
  if (!before) vote.weights.set(wallet, { weight, index })
  vote.seen.add(digest)
  vote.ballots = number
  const other = vote.standing.get(wallet)
  if (!other || time > other.time || (time === other.time && digest < other.digest))
    vote.standing.set(wallet, { choice, time, digest, weight: BigInt(weight), number, index })
}

/** The sums of the ballots that count: the latest of each wallet, of equal times the one with the smaller digest. */
export function sumsOf({ standing }) {
  const sums = { support: 0n, support_wallets: 0, against: 0n, against_wallets: 0 }
  for (const { choice, weight } of standing.values()) {
    sums[choice] += weight
    sums[`${choice}_wallets`]++
  }
  return sums
}

const isWon = ({ support, against }, { quorum }) => support >= BigInt(quorum) && support > against

function requireResult(vote, facts, refuse) {
  const sums = sumsOf(vote)
  if (timeIn(facts.recorded_at) < timeIn(vote.facts.closes_at))
    refuse('it is earlier than the end of the vote')
  if (facts.ballots !== vote.ballots)
    refuse(`it counts ${printable(facts.ballots)} ballots, but there are ${vote.ballots}`)
  for (const [name, sum] of Object.entries(sums))
    if (`${facts[name]}` !== `${sum}`) refuse(`its ${name} is ${printable(facts[name])}, but we count ${sum}`)
  for (const name of ['eligible', 'quorum'])
    if (facts[name] !== vote.facts[name]) refuse(`its ${name} is not that of the vote`)
  if (facts.won !== isWon(sums, vote.facts)) refuse('won is not what the sums say')
}

/** The sums of the ballots on the split that count, and the result in thousandths; null without weight. */
export function splitOf({ standing, limits, facts }) {
  const sums = { weight: 0n, wallets: standing.size, parts: limits.names.map(() => 0n) }
  for (const { choice, weight } of standing.values()) {
    sums.weight += weight
    for (const [at, part] of choice.split(' ').entries()) sums.parts[at] += weight * BigInt(part)
  }
  if (sums.weight === 0n) return { ...sums, shares: null }
  const shares = sums.parts.map((part) => Number((part * 10n) / sums.weight))
  if (rulesOf(facts) >= 2) {
    // What was lost by rounding down goes to the largest remainders, of equal ones to the first.
    const rests = sums.parts.map((part, at) => [(part * 10n) % sums.weight, at])
    rests.sort(([a, at], [b, other]) => (a === b ? at - other : a > b ? -1 : 1))
    for (const [, at] of rests.slice(0, 1000 - sumOf(shares))) shares[at]++
    return { ...sums, shares }
  }
  // What was lost by rounding down goes to the share with the largest sum, as far as its limit allows.
  const order = [...shares.keys()].sort((a, b) => {
    if (sums.parts[a] === sums.parts[b]) return a - b
    return sums.parts[a] > sums.parts[b] ? -1 : 1
  })
  for (const at of order) shares[at] += Math.min(1000 - sumOf(shares), limits.most[at] * 10 - shares[at])
  return { ...sums, shares }
}

const isValidSplit = ({ weight }, { quorum }) => weight > 0n && weight >= BigInt(quorum)

function requireSplitResult(vote, facts, refuse) {
  const { weight, wallets, shares } = splitOf(vote)
  if (timeIn(facts.recorded_at) < timeIn(vote.facts.closes_at))
    refuse('it is earlier than the end of the vote')
  if (facts.ballots !== vote.ballots)
    refuse(`it counts ${printable(facts.ballots)} ballots, but there are ${vote.ballots}`)
  for (const [name, sum] of Object.entries({ weight, wallets }))
    if (`${facts[name]}` !== `${sum}`) refuse(`its ${name} is ${printable(facts[name])}, but we count ${sum}`)
  for (const name of ['eligible', 'quorum'])
    if (facts[name] !== vote.facts[name]) refuse(`its ${name} is not that of the vote`)
  if (JSON.stringify(facts.shares) !== JSON.stringify(shares))
    refuse(`its shares are ${printable(facts.shares)}, but we count ${JSON.stringify(shares)}`)
  if (facts.valid !== isValidSplit({ weight }, vote.facts)) refuse('valid is not what the sums say')
}

/** How a vote ended, as its signed entries say: 'void', 'won', 'not won', 'valid', 'not valid'; null without a result. */
function endOf({ isVoid, result }) {
  if (isVoid) return 'void'
  if (!result) return null
  const { won, valid } = result.facts
  return valid === undefined ? (won ? 'won' : 'not won') : valid ? 'valid' : 'not valid'
}

/** The text of a ballot in a vote, and its SHA-256. A choice with digits is a ballot on the split. */
function ballotText({ goal, choice, wallet, time }, { leaf, facts }) {
  const chosen = /\d/.test(choice) ? `Split: ${choice}` : `Goal: ${goal}\nChoice: ${choice}`
  const heading = rulesOf(facts) >= 3 ? 'Ballot of token holders' : 'Goodblock ballot'
  const text = `${heading}

${chosen}
Wallet: ${checksumAddress(wallet)}
Time: ${time}
Vote: ${leaf}

This is free and moves no money. Wallet, choice and weight become public for ever.`
  return { text, digest: hexOf(sha256(octetsOf(text))) }
}

/**
 * Counts one vote again from the lines of the file of its page, and proves each entry with the tiles of the log, which
 * has this size. Returns its votes and how the newest ended (endOf), the number of entries that are not signed yet, which
 * change nothing in the votes, and whether the file is whole: it ends with a result, and each of its entries is signed.
 */
export async function countVote(lines, goal, size, readTile) {
  const leafAt = leafReader(readTile)
  const { votes, check } = voteCounter()
  const checkRules = rulesChecker()
  let unsigned = 0
  let last = -1
  for await (const bytes of lines) {
    const { index, entry, ...more } = parseEntry(bytes, `the file of the vote on ${goal}`)
    const isLine = isCount(index) && index > last && Object.keys(more).length === 0 && entry?.goal === goal
    if (!isLine)
      throw new Broken(`A line about the vote on ${goal} is malformed, or not in the order of the log.`)
    last = index
    if (index >= size) {
      unsigned++
      continue
    }
    const line = octetsOf(JSON.stringify(entry))
    if (!areEqual(leafHash(line), await leafAt(index)))
      throw new Broken(`Entry ${index} about the vote on ${goal} is not the one in the signed log.`)
    checkRules(entry, index)
    check(entry, line, index)
  }
  const end = votes.length > 0 ? endOf(votes.at(-1)) : null
  return { votes, unsigned, end, isWhole: unsigned === 0 && end !== null && end !== 'void' }
}

async function checkVotes(site, prefix, latest, { votes: goal, ballot, rpc }) {
  const lines = linesOf(bodyOf(`${site}/giveback/${goal}/votes.ndjson`))
  const { votes, unsigned } = await countVote(lines, goal, latest.size, tileReader(prefix, latest.size))
  const newest = votes.at(-1)
  if (!newest) throw new Unchecked(`There is no signed vote on ${goal} yet.`)
  if (rpc) await checkVotesOnChain(votes, rpc)
  return [
    ...reportVotes(votes, rpc),
    !newest.result &&
      `Ballots after number ${newest.ballots}, a newer vote and a result may be missing from this file: --whole reads all.`,
    unsigned > 0 && `Not signed yet, and not counted: ${count(unsigned)} of this vote.`,
    ...(ballot ? await reportBallot(ballot, goal, newest, rpc) : []),
  ]
}

const tenths = (share) => `${Math.floor(share / 10)}.${share % 10} %`

function reportSplit(vote) {
  const { weight, wallets, shares } = splitOf(vote)
  const end = endOf(vote) ?? 'no signed result'
  return `The vote on ${vote.facts.goal} counts again: ballots ${vote.ballots}, weight ${weight} of ${wallets} wallets, quorum ${vote.facts.quorum}, shares ${shares ? shares.map(tenths).join(', ') : 'none'}: ${end}.`
}

/** The lines of a report about votes that were counted again. */
function reportVotes(votes, rpc) {
  const counted = votes.filter(({ isVoid }) => !isVoid)
  const lines = counted.map((vote) => {
    if (vote.limits) return reportSplit(vote)
    const { support, support_wallets: for_, against, against_wallets: against_ } = sumsOf(vote)
    const end = endOf(vote) ?? 'no signed result'
    return `The vote on ${vote.facts.goal} counts again: ballots ${vote.ballots}, support ${support} of ${for_} wallets, against ${against} of ${against_} wallets, quorum ${vote.facts.quorum}: ${end}.`
  })
  const shown = lines.length > 20 ? [`Votes that count again: ${lines.length}.`] : lines
  const isVoid = votes.length - counted.length
  return [
    ...shown,
    isVoid > 0 && `Votes that are void, because the log says that a block changed: ${isVoid}.`,
    votes.length > 0 &&
      (rpc
        ? `The draws, supplies, excluded balances and weights are those of the blockchain, according to ${hostOf(rpc)}.`
        : 'The draws and weights were taken from the file: give --rpc an endpoint with old state to check them.'),
  ]
}

/**
 * Compares the draw, the supply, the excluded balances and every weight with the chain. Of a void vote one of the two blocks
 * must have changed.
 */
async function checkVotesOnChain(votes, rpc) {
  const chain = votes.length > 0 && Number(await call(rpc, 'eth_chainId', []))
  for (const { facts, index, draw, weights, isVoid, isDraw, voidIndex } of votes) {
    const refuse = (at, fault) => {
      throw new Broken(`Entry ${at} of the vote on ${facts.goal} differs from the blockchain: ${fault}.`)
    }
    if (chain !== draw.chain_id)
      throw new Unchecked(`The endpoint is on chain ${chain}, the vote on chain ${draw.chain_id}.`)
    const blockOf = async (number) => {
      const block = await call(rpc, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
      if (!block) throw new Unchecked(`The endpoint does not have block ${number}.`)
      return block
    }
    if (rulesOf(draw) >= 2) {
      const window = windowOf(draw)
      const [last, oldest] = [draw.seed_block - window, draw.seed_block - 2 * window + 1]
      const seconds = Number((await blockOf(last)).timestamp) - Number((await blockOf(oldest)).timestamp)
      if (seconds !== draw.window_seconds) refuse(index, `its blocks lie within ${seconds} seconds`)
    }
    if (isDraw) {
      const seed = await blockOf(draw.seed_block)
      if (Number(seed.timestamp) * 1000 >= timeIn(draw.recorded_at))
        refuse(voidIndex, 'it says that the seed block is older than the draw, but it is not')
      continue
    }
    const at = `0x${facts.block.number.toString(16)}`
    let changed = 0
    for (const [name, { number, hash }] of [
      ['seed', facts.seed],
      ['block', facts.block],
    ]) {
      const block = await blockOf(number)
      if (block.hash !== hash) changed++
      if (isVoid) continue
      if (block.hash !== hash) refuse(index, `the hash of its ${name} is ${printable(block.hash)}`)
      if (name === 'seed' && Number(block.timestamp) * 1000 < timeIn(draw.recorded_at))
        refuse(index, 'its seed block is older than the draw')
    }
    if (isVoid && changed === 0) refuse(voidIndex, 'it says that a block changed, but none did')
    if (isVoid) continue
    const read = async (data) => {
      const word = await call(rpc, 'eth_call', [{ to: facts.token_address, data }, at])
      if (!/^0x[0-9a-f]{64}$/.test(word))
        throw new Unchecked(`The endpoint has no state of block ${facts.block.number}.`)
      return `${BigInt(word)}`
    }
    const balanceOf = (address) => read(`0x70a08231${'0'.repeat(24)}${address.slice(2)}`)
    const expect = (entry, what, value, recorded) => {
      if (value !== `${recorded}`) refuse(entry, `we read ${value} as ${what}, not ${recorded}`)
    }
    expect(index, 'the supply', await read('0x18160ddd'), facts.supply)
    expect(index, 'decimals', await read('0x313ce567'), facts.token_decimals)
    for (const { address, balance } of facts.excluded)
      expect(index, `the balance of ${address}`, await balanceOf(address), balance)
    for (const [wallet, { weight, index: entry }] of weights)
      expect(entry, `the weight of ${wallet}`, await balanceOf(wallet), weight)
  }
}

/** Whether the signed ballot in a file is counted, and what it would change. The signature is the last word of the file. */
async function reportBallot(file, goal, vote, rpc) {
  const [, words = '', signature = ''] =
    /^([\s\S]*\.)\s*(?:Signature:\s*)?(0x[0-9a-fA-F]{130})\s*$/.exec(
      readText(file).replaceAll('\r\n', '\n'),
    ) ?? []
  const [, choice, address = '', time] =
    (vote.limits
      ? /\nSplit: ([\d ]+)\nWallet: (0x[0-9a-fA-F]{40})\nTime: (\S+)\n/
      : /\nChoice: (support|against)\nWallet: (0x[0-9a-fA-F]{40})\nTime: (\S+)\n/
    ).exec(words) ?? []
  const wallet = address.toLowerCase()
  const isPossible = choice && (!vote.limits || percentagesOf(choice, vote.limits))
  if (!isPossible || words !== ballotText({ goal, choice, wallet, time }, vote).text)
    throw new Unchecked(
      `${file} is not a ballot of the newest vote on ${goal}, with its signature at the end.`,
    )
  const { digest } = ballotText({ goal, choice, wallet, time }, vote)
  if (signerOf(words, signature) !== wallet)
    throw new Broken(`The ballot in ${file} was not signed by ${wallet}.`)
  const standing = vote.standing.get(wallet)
  if (standing?.digest === digest)
    return [`Your ballot counts: it is number ${standing.number}, in entry ${standing.index}.`]
  if (vote.seen.has(digest))
    return [`Your ballot was counted, and number ${standing.number} of your wallet replaced it.`]
  if (standing && (standing.time > time || (standing.time === time && standing.digest < digest)))
    return [
      `Your ballot is not there, and would change nothing: number ${standing.number} of your wallet is newer.`,
    ]
  if (vote.addresses.has(wallet)) return [`Your ballot is not there: the address ${wallet} is excluded.`]
  const known = vote.weights.get(wallet)?.weight
  const data = `0x70a08231${'0'.repeat(24)}${wallet.slice(2)}`
  const at = `0x${vote.facts.block.number.toString(16)}`
  const weight =
    known ?? (rpc && `${BigInt(await call(rpc, 'eth_call', [{ to: vote.facts.token_address, data }, at]))}`)
  if (weight && (weight === '0' || BigInt(weight) < BigInt(vote.facts.least_weight)))
    return [`Your ballot is not there: its weight ${weight} is too light.`]
  const change = weight
    ? wouldBe(vote, wallet, choice, BigInt(weight))
    : 'give --rpc to see what it would change'
  if (!vote.result) return [`Your ballot is not counted yet: ${change}.`]
  throw new Broken(
    `Your ballot is not among the ${vote.ballots} that were counted: ${change}.\n` +
      'If you handed it in before the end, keep it: anyone can check its signature.',
  )
}

function wouldBe(vote, wallet, choice, weight) {
  const changed = { ...vote, standing: new Map(vote.standing).set(wallet, { choice, weight }) }
  if (vote.limits) return `with it the shares would be ${splitOf(changed).shares.map(tenths).join(', ')}`
  const { support, against } = sumsOf(changed)
  const end = vote.result ? (isWon({ support, against }, vote.facts) ? ', won' : ', not won') : ''
  return `with it support would be ${support} and against ${against}${end}`
}

/** The leaf hash at a place of the log. Each tile must have the hash that the tile above it names. */
function leafReader(readTile) {
  const checked = new Map()
  const verified = (level, index) => {
    const key = `${level} ${index}`
    if (!checked.has(key)) checked.set(key, read(level, index))
    return checked.get(key)
  }
  const read = async (level, index) => {
    const bytes = await readTile(level, index)
    // The root of the checkpoint covers every hash of a partial tile (readLatest).
    if (bytes.length < tileWidth * 32) return bytes
    const above = await verified(level + 1, Math.floor(index / tileWidth))
    const place = 32 * (index % tileWidth)
    if (!areEqual(pairHashes(hashesOf(bytes)), above.subarray(place, place + 32)))
      throw new Broken(`A tile of level ${level} does not have the hash that the tile above it names.`)
    return bytes
  }
  return async (index) => {
    const place = 32 * (index % tileWidth)
    return (await verified(0, Math.floor(index / tileWidth))).subarray(place, place + 32)
  }
}

// Keccak-256 and secp256k1 ----------------------------------------------------------------------------------

const keccakRounds = [
  ...[0x1n, 0x8082n, 0x800000000000808an, 0x8000000080008000n, 0x808bn, 0x80000001n, 0x8000000080008081n],
  ...[0x8000000000008009n, 0x8an, 0x88n, 0x80008009n, 0x8000000an, 0x8000808bn, 0x800000000000008bn],
  ...[0x8000000000008089n, 0x8000000000008003n, 0x8000000000008002n, 0x8000000000000080n, 0x800an],
  ...[0x800000008000000an, 0x8000000080008081n, 0x8000000000008080n, 0x80000001n, 0x8000000080008008n],
]
const word = (1n << 64n) - 1n
const rotate = (lane, by) => ((lane << by) | (lane >> (64n - by))) & word

/** Keccak-256 as Ethereum uses it: the padding of the competition's version, not that of SHA-3. */
export function keccak256(bytes) {
  const rate = 136
  const padded = new Uint8Array(Math.floor(bytes.length / rate + 1) * rate)
  padded.set(bytes)
  const words = new DataView(padded.buffer)
  padded[bytes.length] ^= 0x01
  padded[padded.length - 1] ^= 0x80
  let lanes = Array(25).fill(0n)
  for (let block = 0; block < padded.length; block += rate) {
    for (let at = 0; at < rate / 8; at++) lanes[at] ^= words.getBigUint64(block + 8 * at, true)
    for (const constant of keccakRounds) lanes = keccakRound(lanes, constant)
  }
  const hash = new DataView(new ArrayBuffer(32))
  for (let at = 0; at < 4; at++) hash.setBigUint64(8 * at, lanes[at], true)
  return new Uint8Array(hash.buffer)
}

function keccakRound(lanes, constant) {
  const columns = [0, 1, 2, 3, 4].map(
    (x) => lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20],
  )
  const mixed = lanes.map((lane, at) => lane ^ columns[(at + 4) % 5] ^ rotate(columns[(at + 1) % 5], 1n))
  const moved = [...mixed]
  let [x, y] = [1, 0]
  let current = mixed[1]
  for (let step = 1; step <= 24; step++) {
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
    const next = mixed[x + 5 * y]
    moved[x + 5 * y] = rotate(current, BigInt(((step * (step + 1)) / 2) % 64))
    current = next
  }
  const result = moved.map((lane, at) => {
    const row = at - (at % 5)
    return lane ^ (~moved[row + ((at + 1) % 5)] & word & moved[row + ((at + 2) % 5)])
  })
  result[0] ^= constant
  return result
}

/** An address with the checksum of EIP-55. */
export function checksumAddress(address) {
  const digits = address.slice(2).toLowerCase()
  const hash = hexOf(keccak256(octetsOf(digits)))
  return `0x${[...digits].map((digit, at) => (Number.parseInt(hash[at], 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}

const prime = 2n ** 256n - 2n ** 32n - 977n
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const generator = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
]

const mod = (value, by) => {
  const rest = value % by
  return rest < 0n ? rest + by : rest
}

function power(base, exponent) {
  let result = 1n
  for (let rest = exponent, square = base; rest > 0n; rest >>= 1n, square = (square * square) % prime)
    if (rest & 1n) result = (result * square) % prime
  return result
}

function inverse(value, by) {
  let [a, b, x, y] = [mod(value, by), by, 1n, 0n]
  while (a > 1n) {
    if (b === 0n) return 0n
    const quotient = b / a
    ;[a, b, x, y] = [b % a, a, y - quotient * x, x]
  }
  return mod(x, by)
}

/** Points in Jacobian coordinates; null is the point at infinity. */
function double(point) {
  if (!point) return null
  const [x, y, z] = point
  if (y === 0n) return null
  const squared = (y * y) % prime
  const s = (4n * x * squared) % prime
  const m = (3n * x * x) % prime
  const newX = mod(m * m - 2n * s, prime)
  return [newX, mod(m * (s - newX) - 8n * squared * squared, prime), (2n * y * z) % prime]
}

/** The sum of a point in Jacobian coordinates and one in affine coordinates. */
function add(point, affine) {
  if (!affine) return point
  const [x, y] = affine
  if (!point) return [x, y, 1n]
  const [ownX, ownY, z] = point
  const zz = (z * z) % prime
  const h = mod(x * zz - ownX, prime)
  const r = mod(((y * zz) % prime) * z - ownY, prime)
  if (h === 0n) return r === 0n ? double(point) : null
  const hh = (h * h) % prime
  const hhh = (hh * h) % prime
  const v = (ownX * hh) % prime
  const newX = mod(r * r - hhh - 2n * v, prime)
  return [newX, mod(r * (v - newX) - ownY * hhh, prime), (z * h) % prime]
}

function toAffine(point) {
  if (!point) return null
  const inverted = inverse(point[2], prime)
  const squared = (inverted * inverted) % prime
  return [(point[0] * squared) % prime, (((point[1] * squared) % prime) * inverted) % prime]
}

/** first × a + second × b, in one pass. */
function sumOfProducts(first, a, second, b) {
  const both = toAffine(add([...first, 1n], second))
  let sum = null
  const bits = Math.max(a.toString(2).length, b.toString(2).length)
  for (let bit = BigInt(bits - 1); bit >= 0n; bit--) {
    sum = double(sum)
    const [hasA, hasB] = [(a >> bit) & 1n, (b >> bit) & 1n]
    if (hasA && hasB) sum = add(sum, both)
    else if (hasA) sum = add(sum, first)
    else if (hasB) sum = add(sum, second)
  }
  return toAffine(sum)
}

/**
 * The address of the key that signed a text (EIP-191, `personal_sign`), in lower case. Null unless the signature has 65
 * bytes, its s is in the lower half, and its last byte is 0, 1, 27 or 28.
 */
export function signerOf(text, signature) {
  if (typeof signature !== 'string' || !/^0x[0-9a-fA-F]{130}$/.test(signature)) return null
  const [r, s] = [BigInt(signature.slice(0, 66)), BigInt(`0x${signature.slice(66, 130)}`)]
  const last = Number.parseInt(signature.slice(130), 16)
  const parity = last >= 27 ? last - 27 : last
  if (parity > 1 || r === 0n || r >= order || s === 0n || s > order / 2n) return null
  const square = (r * r * r + 7n) % prime
  const root = power(square, (prime + 1n) / 4n)
  if ((root * root) % prime !== square) return null
  const y = (root & 1n) === BigInt(parity) ? root : prime - root
  const { length } = octetsOf(text)
  const hash = BigInt(`0x${hexOf(keccak256(octetsOf(`\x19Ethereum Signed Message:\n${length}${text}`)))}`)
  const inverted = inverse(r, order)
  const key = sumOfProducts(generator, mod(-hash * inverted, order), [r, y], (s * inverted) % order)
  if (!key) return null
  const hex = key.map((part) => part.toString(16).padStart(64, '0')).join('')
  const octets = Uint8Array.from(hex.match(/../g), (pair) => Number.parseInt(pair, 16))
  return `0x${hexOf(keccak256(octets).subarray(12))}`
}

// Octets ----------------------------------------------------------------------------------------------------

const octetsOf = (text) => new TextEncoder().encode(text)
const hexOf = (octets) => Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('')
const areEqual = (one, other) => one.length === other.length && one.every((octet, at) => octet === other[at])

// Files and texts -------------------------------------------------------------------------------------------

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Unchecked(`${file} cannot be read: ${error.message}`)
  }
}

/** The bytes of a file in pieces; '-' is standard input. */
async function* bytesOf(file) {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file)
  } catch (error) {
    throw new Unchecked(`${file} cannot be read: ${error.message}`)
  }
}

/** The bytes of base64 text, or null unless it is in the canonical spelling. */
function decodeBase64(text) {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Characters that could move the cursor, hide or reorder what a terminal shows: control, format and unassigned ones. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu
const escaped = (text) => text.replace(unprintable, (one) => `\\u{${one.codePointAt(0).toString(16)}}`)

/**
 * A value that the site or another server sent, on one line, so that it cannot look like a line that this
 * program wrote.
 */
function printable(value) {
  const text = escaped(typeof value === 'string' ? value : `${JSON.stringify(value)}`)
  return text.length > longestValue ? `${text.slice(0, longestValue)}… (${text.length} characters)` : text
}

function count(entries) {
  return entries === 1 ? '1 entry' : `${entries} entries`
}

/** The exit status, and what is printed: on the standard output if all is in order, otherwise on the standard error. */
export async function run(parameters) {
  if (parameters.includes('--help')) return { status: 0, text: help }
  const lines = (text) => `${text.split('\n').map(escaped).join('\n')}\n`
  try {
    return { status: 0, text: lines(await main(parameters)) }
  } catch (error) {
    const isKnown = error instanceof Broken || error instanceof Unchecked
    return { status: error instanceof Broken ? 1 : 2, text: lines(isKnown ? error.message : error.stack) }
  }
}

// Nothing runs when a test imports this file.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { status, text } = await run(process.argv.slice(2))
  process.exitCode = status
  const stream = status === 0 ? process.stdout : process.stderr
  stream.write(text)
}
