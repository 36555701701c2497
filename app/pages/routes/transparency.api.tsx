import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { Fragment } from 'react'
import { accounts } from '~/ledger/accounts'
import { ledgerFeeds } from '~/ledger/download-links'
import { notChecked, withoutPool } from '~/ledger/filter'
import { statusWords } from '~/ledger/statuses'
import { hasPayments } from '~/ledger/totals'
import { readTotals } from '~/ledger/totals.server'
import { ownTypes, transactionTypes } from '~/ledger/transaction-types'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { ledgerLog } from '~/log/ledger-log'
import { readCheckpoint } from '~/log/published-log.server'
import { impactPools } from '~/platform/impact-pools'
import { key } from '~/platform/locales/key'
import type { Language } from '~/platform/locales/language'
import { PageLink, Sentence, useLanguage } from '~/platform/locales/react'
import { useFundMeOpen } from '~/platform/rendering/fundme-open'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { CommandLines } from '~/platform/ui/command-lines'
import { PageHeader } from '~/platform/ui/page-header'
import { Section } from '~/platform/ui/section'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: msg`Ledger data and API`,
  description: msg`Every transaction as CSV, JSON, NDJSON, Atom and JSON Feed: links, filters, examples and limits.`,
  path: '/transparency/api',
  feed: ledgerFeeds(msg`The ledger`),
})

export async function loader({ context }: LoaderFunctionArgs) {
  const data = context.publicData()
  const [totals, checkpoint] = await Promise.all([
    readTotals(data),
    readCheckpoint(data, ledgerLog, context.config),
  ])
  return { isEmpty: !hasPayments(totals), isSigned: checkpoint !== 'none' }
}

/** A 404 until the job has signed the log. */
const checkpointPath = '/transparency/log/checkpoint'

const files = [
  {
    path: '/transparency.csv',
    text: msg`For Excel and other spreadsheets. The first line has the column names. Import every column except amount_usd as text: a spreadsheet rounds numbers of more than 15 digits, and changes texts that look like a number or a date. tokens is token_amount in whole tokens.`,
  },
  {
    path: '/transparency.json',
    text: msg`One JSON document with your filter, the size of the log, and the rows.`,
  },
  {
    path: '/transparency.ndjson',
    text: msg`The same rows, one JSON object per line, for streaming.`,
  },
  {
    path: '/transparency.atom',
    text: msg`The 50 newest transactions as an Atom feed, with the latest signed checkpoint of the log.`,
  },
  { path: '/transparency.feed.json', text: msg`The same as a JSON Feed (version 1.1).` },
  {
    path: '/transparency/orders.csv',
    text: msg`Every order of a payment, with its state and its payment. The same files end in .json and .atom. Import every column as text.`,
  },
  {
    path: '/cz-call.atom',
    text: msg`The 50 newest CZ Call statements and the action taken, as an Atom feed.`,
  },
  { path: '/cz-call.feed.json', text: msg`The same as a JSON Feed (version 1.1).` },
  {
    path: '/transparency/log.ndjson',
    text: msg`Every row ever added, including corrected ones, exactly as hashed, one per line. Use it to verify. No filters.`,
  },
  {
    path: checkpointPath,
    text: msg`The latest signed checkpoint (C2SP tlog-checkpoint). The tiles, entry bundles and verifier key (vkey) are in the same folder (C2SP tlog-tiles).`,
  },
  {
    path: '/transparency/log/checkpoints.ndjson',
    text: msg`Every signed checkpoint, oldest first.`,
  },
  {
    path: '/transparency/log/anchors.ndjson',
    text: msg`Every checkpoint that we wrote to the blockchain, oldest first.`,
  },
  {
    path: '/transparency/log/texts.ndjson',
    text: msg`The notes and other texts with their salts. The log has only a hash of each, so that we can withdraw a text.`,
  },
]

/** The filters with their values. If a page shows a value under a different name, that name is added. */
function parametersIn({ i18n, formats }: Language, goals: boolean): { name: string; text: string }[] {
  const choice = (values: readonly string[]) => formats.words(values, 'or')
  const named = (names: Record<string, string>) =>
    choice(
      Object.entries(names).map(([value, name]) =>
        name.toLowerCase() === value ? value : `${value} (${i18n._(key(name))})`,
      ),
    )
  const none = i18n._(msg`No pool`)
  return [
    {
      name: 'q',
      text: i18n._(
        msg`a transaction hash, an address or the name of a wallet; with an address you get every row from or to it`,
      ),
    },
    { name: 'type', text: named(goals ? transactionTypes : ownTypes) },
    {
      name: 'status',
      text: named({
        ...statusWords,
        [notChecked]: /* i18n */ 'not verified, or without a value in dollars',
      }),
    },
    { name: 'direction', text: i18n._(msg`in or out, as seen from the wallet if you choose one`) },
    {
      name: 'pool',
      text: choice([...impactPools.map(({ slug }) => slug), `${withoutPool} (${none})`]),
    },
    { name: 'wallet', text: choice(accounts.map(({ slug }) => slug)) },
    { name: 'from, to', text: i18n._(msg`days in UTC like 2025-11-01, both included`) },
    {
      name: 'limit',
      text: i18n._(msg`for files only: 1 to 1000 rows; the Link header has the address of the next part`),
    },
  ]
}

const examples = [
  {
    what: msg`Donations to one pool in a year, for a spreadsheet`,
    text: 'curl -OJ "SITE/transparency.csv?pool=education&from=2025-01-01&to=2025-12-31"',
  },
  {
    what: msg`Sum of verified donations`,
    text: `curl -s "SITE/transparency.ndjson?type=donation&status=verified" |
  jq -s 'map(.amount_usd // "0" | tonumber) | add'`,
  },
  {
    what: msg`Download only if something changed (otherwise 304)`,
    text: `curl -sD headers -o ledger.json SITE/transparency.json
curl -sD- -o ledger.json -H "If-None-Match: $(sed -n 's/^etag: //Ip' headers | tr -d '\\r')" SITE/transparency.json`,
  },
]

export default function Api() {
  const { t } = useLingui()
  const language = useLanguage()
  const { i18n } = language
  const { isEmpty, isSigned } = useLoaderData<typeof loader>()
  return (
    <>
      <TransparencyNavigation current="/transparency/api" />
      <PageHeader
        title={t`Ledger data and API`}
        tagline={t`Download it, keep it, compare it. No key, no account.`}
      />
      <Section heading="addresses" title={t`Files and feeds`} className="">
        {isEmpty && (
          <p className="mt-4">
            <Trans>The files are empty until the first payment.</Trans>
          </p>
        )}
        <dl className="facts">
          {files
            .filter(({ path }) => isSigned || path !== checkpointPath)
            .map(({ path, text }) => (
              <div key={path}>
                <dt>
                  <PageLink to={path} className="link text-sm">
                    <code>
                      <Breakable path={path} />
                    </code>
                  </PageLink>
                </dt>
                <dd>{i18n._(text)}</dd>
              </div>
            ))}
        </dl>
      </Section>
      <Section heading="filters" title={t`Filters`}>
        <p className="mt-4 max-w-[65ch] text-muted">
          <Trans>
            Add filters to a link after a question mark, like ?type=donation. They work as on the{' '}
            <PageLink to="/transparency#history" className="link">
              Transparency page
            </PageLink>
            . An invalid filter returns 400 with an explanation, never a bigger file than you asked for.
          </Trans>
        </p>
        <dl className="facts">
          {parametersIn(language, useFundMeOpen()).map(({ name, text }) => (
            <div key={name}>
              <dt className="text-sm">
                <code>{name}</code>
              </dt>
              <dd>
                <Sentence>{text}</Sentence>
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section heading="examples" title={t`Examples`}>
        {examples.map(({ what, text }) => (
          <div key={text} className="mt-6">
            <h3 className="font-semibold">{i18n._(what)}</h3>
            <CommandLines>{text}</CommandLines>
          </div>
        ))}
        <p className="mt-4 text-muted">
          <Trans>SITE is this site's address, starting with https://</Trans>
        </p>
      </Section>
      <Section heading="rules" title={t`What to expect`}>
        <div className="prose mt-0">
          <ul>
            <li>
              <Trans>
                Rows come newest first. Amounts are exact strings, tokens are in base units, and times are in
                UTC. The <a href="/transparency.schema.json">JSON schema</a> explains each field.
              </Trans>
            </li>
            <li>
              <Trans>
                In the CSV, we put an apostrophe before any text that a spreadsheet could run as a formula.
                Numbers stay numbers. JSON has every text as it was written.
              </Trans>
            </li>
            <li>
              <Trans>
                If a download fails, the connection breaks and the JSON is not valid. Then download it again.
              </Trans>
            </li>
            <li>
              <Trans>
                The ETag changes with every new row, check, statement and signed checkpoint. A check that we
                make during your download may or may not be in the file.
              </Trans>
            </li>
            <li>
              <Trans>
                A feed entry keeps its id. When we check its transaction again, only its update time changes.
              </Trans>
            </li>
          </ul>
          <h3 className="mt-8 text-xl">
            <Trans>Limits</Trans>
          </h3>
          <ul>
            <li>
              <Trans>Large downloads can take a while. Use limit to fetch them in parts.</Trans>
            </li>
            <li>
              <Trans>Answers can be up to 30 seconds old.</Trans>
            </li>
          </ul>
        </div>
      </Section>
    </>
  )
}

/** A path that can break before a slash or a dot, but never within a word. */
function Breakable({ path }: { path: string }) {
  return path.split(/(?<=.)(?=[/.])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path never move
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
