import { impactPools } from '~/impact-pools'
import { accounts } from '~/ledger/accounts'
import { ledgerFeeds } from '~/ledger/download-links'
import { transactionTypes } from '~/ledger/filter'
import { statuses } from '~/ledger/statuses'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { PageHeader } from '~/ui/page-header'

export const handle = cached()

export const meta = pageMeta({
  title: 'The ledger for programs',
  description:
    'Every row of the ledger as CSV, JSON, NDJSON, Atom and JSON Feed: addresses, filters, examples and limits.',
  path: '/transparency/api',
  feed: ledgerFeeds('The ledger'),
})

const files = [
  {
    path: '/transparency.csv',
    text: 'For spreadsheets: RFC 4180, in UTF-8 with a byte order mark, with a line of names.',
  },
  {
    path: '/transparency.json',
    text: 'One document: what was asked for, the size of the log, and the rows. Its schema is below.',
  },
  {
    path: '/transparency.ndjson',
    text: 'The same rows, each a line of JSON: for programs that read as it comes.',
  },
  {
    path: '/transparency.atom',
    text: 'The 50 newest rows as an Atom feed, with the latest signed checkpoint of the log.',
  },
  { path: '/transparency.feed.json', text: 'The same as a JSON Feed 1.1.' },
  { path: '/cz-call.atom', text: 'The 50 newest statements and what was done about them, as an Atom feed.' },
  { path: '/cz-call.feed.json', text: 'The same as a JSON Feed 1.1.' },
  {
    path: '/transparency/log.ndjson',
    text: 'Every entry of the log, corrected ones too, in its order: the octets that are hashed, one entry on each line. It has no filter: it is what a verifier reads.',
  },
  {
    path: '/transparency/log/checkpoint',
    text: 'The latest signed checkpoint (C2SP tlog-checkpoint). Tiles, entry bundles and the verifier key (vkey) are beside it, as C2SP tlog-tiles says.',
  },
  {
    path: '/transparency/log/checkpoints.ndjson',
    text: 'Every checkpoint that was signed, oldest first.',
  },
  {
    path: '/transparency/log/anchors.ndjson',
    text: 'Every transaction on the chain that holds a checkpoint, oldest first.',
  },
  {
    path: '/transparency/log/texts.ndjson',
    text: 'The notes and other texts with their salts: an entry has only the hash of both, so that a text can be withdrawn.',
  },
]

const list = new Intl.ListFormat('en', { type: 'disjunction' })

/** 'a, b or c': the values of a filter. */
function choice(values: readonly string[]): string {
  return list.format(values)
}

const parameters = [
  {
    name: 'q',
    text: 'a transaction hash, an address, or the name of a wallet of ours. An address selects every row that it is a party of.',
  },
  { name: 'type', text: choice(Object.keys(transactionTypes)) },
  { name: 'status', text: choice(statuses) },
  {
    name: 'direction',
    text: 'in or out: as the wallet sees it if one is selected, otherwise as the row says',
  },
  {
    name: 'pool',
    text: `${choice(impactPools.map(({ slug }) => slug))}: each pool has files and feeds of its own`,
  },
  { name: 'wallet', text: choice(accounts.map(({ slug }) => slug)) },
  { name: 'from, to', text: 'days in UTC as 2025-11-01, both included' },
  {
    name: 'limit',
    text: 'for files: 1 to 1000 rows, with a Link header that leads to the next part (before, or from for the log)',
  },
]

const examples = [
  {
    what: 'Donations to one pool in a year, for a spreadsheet',
    text: 'curl -OJ "SITE/transparency.csv?pool=education&from=2025-01-01&to=2025-12-31"',
  },
  {
    what: 'What verified donations add up to',
    text: `curl -s "SITE/transparency.ndjson?type=donation&status=verified" |
  jq -s 'map(.amount_usd // "0" | tonumber) | add'`,
  },
  {
    what: 'Only if something is new: 304 and nothing else while nothing is',
    text: `curl -sD headers -o ledger.json SITE/transparency.json
curl -sD- -o ledger.json -H "If-None-Match: $(sed -n 's/^etag: //Ip' headers | tr -d '\\r')" SITE/transparency.json`,
  },
]

export default function Api() {
  return (
    <>
      <TransparencyNavigation current="/transparency/api" />
      <PageHeader
        title="The ledger for programs"
        tagline="Take it away, keep it, compare it. No key, no account, and the same bytes for everybody."
      />
      <section className="column" aria-labelledby="addresses">
        <h2 id="addresses" className="text-heading">
          Addresses
        </h2>
        <dl className="facts">
          {files.map(({ path, text }) => (
            <div key={path}>
              <dt>
                <a href={path} className="link font-mono text-sm wrap-anywhere">
                  {path}
                </a>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="column pt-section" aria-labelledby="filters">
        <h2 id="filters" className="text-heading">
          Filters
        </h2>
        <p className="mt-4 max-w-[65ch] text-muted">
          The same as on{' '}
          <a href="/transparency#history" className="link">
            the page
          </a>
          , in the address. One that can't be read is refused with 400 and a sentence: a file never has more
          in it than was asked for.
        </p>
        <dl className="facts">
          {parameters.map(({ name, text }) => (
            <div key={name}>
              <dt className="font-mono text-sm">{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="column pt-section" aria-labelledby="examples">
        <h2 id="examples" className="text-heading">
          Examples
        </h2>
        {examples.map(({ what, text }) => (
          <div key={what} className="mt-6">
            <h3 className="font-semibold">{what}</h3>
            <pre className="commands">{text}</pre>
          </div>
        ))}
        <p className="mt-4 text-muted">SITE is the address of this site, with https:// before it.</p>
      </section>
      <section className="column pt-section" aria-labelledby="rules">
        <h2 id="rules" className="text-heading">
          What to expect
        </h2>
        <div className="prose mt-0">
          <ul>
            <li>
              Rows come newest first. Amounts are strings and exact, tokens in base units, times UTC in
              microseconds. The <a href="/transparency.schema.json">JSON schema</a> says what each field is.
            </li>
            <li>
              In the CSV an apostrophe stands before a sign that a spreadsheet could take for the start of a
              formula (= + - @, a tab, the end of a line). JSON has every text as it was written. Numbers stay
              numbers, -1 too.
            </li>
            <li>
              A download that can't be finished breaks off, and a JSON document is then not valid. A file that
              ended is whole.
            </li>
            <li>
              The ETag changes with every row, check, statement and signed checkpoint. It is weak: a check
              that is recorded during a download may or may not be in it. The log ends at the size of its tag.
            </li>
            <li>
              An entry of a feed keeps its id; when the row is checked again, its time of change moves on.
            </li>
          </ul>
          <h3 className="mt-8 text-xl">Limits</h3>
          <ul>
            <li>
              Rows are read from the database 1,000 at a time, and no more are in memory: a million rows are
              1,002 calls to it, one of them for the ETag and one to see that nothing follows.
            </li>
            <li>
              The platform allows 10,000 such calls and 30 seconds of processor time (five minutes where that
              is configured) for a download on its paid plan, and 50 calls on its free one, enough for 48,000
              rows. What needs more breaks off: take it in parts by limit, which cost two calls each.
            </li>
            <li>Answers may be up to 30 seconds old where something between you and us keeps them.</li>
          </ul>
        </div>
      </section>
    </>
  )
}
