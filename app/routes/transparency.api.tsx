import { Fragment } from 'react'
import { impactPools } from '~/impact-pools'
import { accounts } from '~/ledger/accounts'
import { ledgerFeeds } from '~/ledger/download-links'
import { notChecked, withoutPool } from '~/ledger/filter'
import { statusWords } from '~/ledger/statuses'
import { ownTypes } from '~/ledger/transaction-types'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { listWords } from '~/list'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/rendering/seo'
import { PageHeader } from '~/ui/page-header'
import { Section } from '~/ui/section'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: 'Ledger data and API',
  description:
    'Every transaction as CSV, JSON, NDJSON, Atom and JSON Feed: links, filters, examples and limits.',
  path: '/transparency/api',
  feed: ledgerFeeds('The ledger'),
})

const files = [
  {
    path: '/transparency.csv',
    text: 'For Excel and other spreadsheets. The first line has the column names.',
  },
  {
    path: '/transparency.json',
    text: 'One JSON document with your filter, the size of the log, and the rows. Its schema is below.',
  },
  {
    path: '/transparency.ndjson',
    text: 'The same rows, one JSON object per line, for streaming.',
  },
  {
    path: '/transparency.atom',
    text: 'The 50 newest transactions as an Atom feed, with the latest signed checkpoint of the log.',
  },
  { path: '/transparency.feed.json', text: 'The same as a JSON Feed (version 1.1).' },
  { path: '/cz-call.atom', text: 'The 50 newest CZ Call statements and the action taken, as an Atom feed.' },
  { path: '/cz-call.feed.json', text: 'The same as a JSON Feed (version 1.1).' },
  {
    path: '/transparency/log.ndjson',
    text: 'Every row ever added, including corrected ones, exactly as hashed, one per line. Use it to verify. No filters.',
  },
  {
    path: '/transparency/log/checkpoint',
    text: 'The latest signed checkpoint (C2SP tlog-checkpoint). The tiles, entry bundles and verifier key (vkey) are in the same folder (C2SP tlog-tiles).',
  },
  {
    path: '/transparency/log/checkpoints.ndjson',
    text: 'Every signed checkpoint, oldest first.',
  },
  {
    path: '/transparency/log/anchors.ndjson',
    text: 'Every checkpoint that we wrote to the blockchain, oldest first.',
  },
  {
    path: '/transparency/log/texts.ndjson',
    text: 'The notes and other texts with their salts. The log has only a hash of each, so that we can withdraw a text.',
  },
]

/** 'a, b, or c': the values of a filter. */
function choice(values: readonly string[]): string {
  return listWords(values, 'or')
}

/** 'a (A), b (B), or c': the values of a filter with their names on pages, where those differ. */
function namedChoice(names: Record<string, string>): string {
  return choice(
    Object.entries(names).map(([value, name]) =>
      name.toLowerCase() === value ? value : `${value} (${name})`,
    ),
  )
}

const parameters = [
  {
    name: 'q',
    text: 'a transaction hash, an address or the name of a wallet; with an address you get every row from or to it',
  },
  { name: 'type', text: namedChoice(ownTypes) },
  {
    name: 'status',
    text: namedChoice({ ...statusWords, [notChecked]: 'not verified, or without a value in dollars' }),
  },
  {
    name: 'direction',
    text: 'in or out, as seen from the wallet if you choose one',
  },
  {
    name: 'pool',
    text: choice([...impactPools.map(({ slug }) => slug), `${withoutPool} (No pool)`]),
  },
  { name: 'wallet', text: choice(accounts.map(({ slug }) => slug)) },
  { name: 'from, to', text: 'days in UTC like 2025-11-01, both included' },
  {
    name: 'limit',
    text: 'for files only: 1 to 1000 rows; the Link header has the address of the next part',
  },
]

const examples = [
  {
    what: 'Donations to one pool in a year, for a spreadsheet',
    text: 'curl -OJ "SITE/transparency.csv?pool=education&from=2025-01-01&to=2025-12-31"',
  },
  {
    what: 'Sum of verified donations',
    text: `curl -s "SITE/transparency.ndjson?type=donation&status=verified" |
  jq -s 'map(.amount_usd // "0" | tonumber) | add'`,
  },
  {
    what: 'Download only if something changed (otherwise 304)',
    text: `curl -sD headers -o ledger.json SITE/transparency.json
curl -sD- -o ledger.json -H "If-None-Match: $(sed -n 's/^etag: //Ip' headers | tr -d '\\r')" SITE/transparency.json`,
  },
]

export default function Api() {
  return (
    <>
      <TransparencyNavigation current="/transparency/api" />
      <PageHeader
        title="Ledger data and API"
        tagline="Download it, keep it, compare it. No key, no account."
      />
      <Section heading="addresses" title="Files and feeds" className="">
        <dl className="facts">
          {files.map(({ path, text }) => (
            <div key={path}>
              <dt>
                <a href={path} className="link font-mono text-sm">
                  <Breakable path={path} />
                </a>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section heading="filters" title="Filters">
        <p className="mt-4 max-w-[65ch] text-muted">
          Add filters to a link after a question mark, like ?type=donation. They work as on the{' '}
          <a href="/transparency#history" className="link">
            Transparency page
          </a>
          . An invalid filter returns 400 with an explanation, never a bigger file than you asked for.
        </p>
        <dl className="facts">
          {parameters.map(({ name, text }) => (
            <div key={name}>
              <dt className="font-mono text-sm">{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section heading="examples" title="Examples">
        {examples.map(({ what, text }) => (
          <div key={what} className="mt-6">
            <h3 className="font-semibold">{what}</h3>
            <pre className="commands">{text}</pre>
          </div>
        ))}
        <p className="mt-4 text-muted">Replace SITE with the address of this site, starting with https://</p>
      </Section>
      <Section heading="rules" title="What to expect">
        <div className="prose mt-0">
          <ul>
            <li>
              Rows come newest first. Amounts are exact strings, tokens are in base units, and times are in
              UTC. The <a href="/transparency.schema.json">JSON schema</a> explains each field.
            </li>
            <li>
              In the CSV, we put an apostrophe before any text that a spreadsheet could run as a formula.
              Numbers stay numbers. JSON has every text as it was written.
            </li>
            <li>
              If a download fails, the connection breaks and the JSON is not valid. Then download it again.
            </li>
            <li>
              The ETag changes with every new row, check, statement and signed checkpoint. A check that we
              make during your download may or may not be in the file.
            </li>
            <li>
              A feed entry keeps its id. When we check its transaction again, only its update time changes.
            </li>
          </ul>
          <h3 className="mt-8 text-xl">Limits</h3>
          <ul>
            <li>Large downloads can take a while. Use limit to fetch them in parts.</li>
            <li>Answers can be up to 30 seconds old.</li>
          </ul>
        </div>
      </Section>
    </>
  )
}

/** A path that breaks before a slash or a dot, and never within a word. */
function Breakable({ path }: { path: string }) {
  return path.split(/(?<=.)(?=[/.])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path never move
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
