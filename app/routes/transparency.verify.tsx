import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import verifyUrl from '~/enhance/verify.ts?worker&url'
import { type Head, readHead } from '~/ledger/head.server'
import { ListUnavailable } from '~/ledger/unavailable'
import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { Copy } from '~/ui/copy'
import { PageHeader } from '~/ui/page-header'
import { Steps } from '~/ui/steps'
import { When } from '~/ui/when'
import formatUrl from '../../public/ledger/format.md?url'
import vectorsUrl from '../../public/ledger/vectors.json?url'

export const handle = cached()

export const meta = pageMeta({
  title: 'Check the ledger',
  description:
    'Every row of the ledger is linked to the one before it by its hash, and the last one is signed. Check it in this page, or without us.',
  path: '/transparency/verify',
})

export async function loader({ context }: LoaderFunctionArgs) {
  return { head: await readHead(context.publicBackend(), context.log), siteUrl: context.config.SITE_URL }
}

export default function Verify() {
  const { head, siteUrl } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="Check the ledger"
        tagline="Each row carries the fingerprint of the row before it. Change one, and every later one gives it away."
      />
      <Steps
        title="How it is linked"
        steps={[
          {
            title: 'Each row is hashed',
            text: 'Its facts and the hash of the row before it go into one SHA-256. The database computes it as the row is written.',
          },
          {
            title: 'The last one is signed',
            text: 'One hash speaks for every row before it. It is signed, with its place and the time, and published as the head.',
          },
          {
            title: 'Heads are kept',
            text: 'By us in an archive, by feed readers, and by you. A head from before shows what later became of its rows.',
          },
        ]}
      />
      <section className="column pt-section" aria-labelledby="head-title">
        <h2 id="head-title" className="text-heading">
          The latest signed head
        </h2>
        {head === null ? <ListUnavailable what="The signed head" /> : <LatestHead head={head} />}
      </section>
      <section id="check" className="column pt-section" aria-labelledby="check-title">
        <h2 id="check-title" className="text-heading">
          Check it here
        </h2>
        <p className="mt-4 max-w-[65ch]">
          Your browser fetches every row, computes every hash itself, and compares the last signed one with
          the head. Name a head that you kept, and it also finds rows that were cut off or written anew since
          then.
        </p>
        <div className="panel mt-6" data-check-ledger>
          <p>
            This check runs in your browser and needs JavaScript, over a secure connection.{' '}
            <a href="#without-us" className="link">
              Without it, check with the program below
            </a>
            .
          </p>
        </div>
        <script type="module" src={verifyUrl} />
      </section>
      <section className="column pt-section" aria-labelledby="proof-title">
        <h2 id="proof-title" className="text-heading">
          What this proves, and what it does not
        </h2>
        <dl className="mt-6 grid gap-x-10 gap-y-6 md:grid-cols-3">
          {limits.map(({ name, text }) => (
            <div key={name} className="border-t-2 border-ink pt-4">
              <dt className="font-display text-lg font-semibold">{name}</dt>
              <dd className="mt-1 text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </section>
      <WithoutUs siteUrl={siteUrl} />
    </>
  )
}

const limits = [
  {
    name: 'The chain shows',
    text: 'that no row was altered, deleted, inserted or moved without every later hash changing with it. Whoever knows one hash knows all that stands before it.',
  },
  {
    name: 'A signature alone cannot show',
    text: 'that this is the only history. Whoever holds the key could cut rows off, or write the past anew and sign that instead. So heads are archived, stand in the feeds, and should be kept: one that you hold cannot be taken back.',
  },
  {
    name: 'Neither shows',
    text: 'that a row is true. That stands on BNB Smart Chain: each row names its transaction, and says what checking it there found.',
  },
]

function LatestHead({ head }: { head: Head | 'none' }) {
  if (head === 'none')
    return (
      <p className="notice">
        No head has been signed yet. The rows are linked all the same, and can be checked below.
      </p>
    )
  const facts = [
    { name: 'Speaks for', value: `rows 1 to ${head.seq}` },
    { name: 'Signed', value: <When date={new Date(head.signed_at)} /> },
    { name: 'Hash', value: <code className="hash">{head.hash}</code> },
    { name: 'Public key', value: <code className="hash">{head.public_key}</code> },
  ]
  return (
    <div className="sheet mt-6">
      <dl className="figures grid gap-x-8 sm:grid-cols-[auto_minmax(0,1fr)]">
        {facts.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="mb-3 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 flex flex-wrap gap-x-6 gap-y-2">
        <a href="/transparency/head.json" className="link" download>
          Keep this head
        </a>
        <a href="/transparency/heads.ndjson" className="link" download>
          All heads so far
        </a>
      </p>
    </div>
  )
}

function WithoutUs({ siteUrl }: { siteUrl: string }) {
  const fetchAll = `curl -fO ${siteUrl}/verify-ledger.mjs
curl -fO ${siteUrl}/transparency/head.json
curl -fO ${siteUrl}/transparency/chain.ndjson
node verify-ledger.mjs chain.ndjson head.json`
  const later = `mv head.json kept.json
curl -fO ${siteUrl}/transparency/head.json
curl -fO ${siteUrl}/transparency/chain.ndjson
node verify-ledger.mjs chain.ndjson head.json --since kept.json`
  return (
    <section id="without-us" className="column pt-section" aria-labelledby="without-title">
      <h2 id="without-title" className="text-heading">
        Check it without us
      </h2>
      <p className="mt-4 max-w-[65ch]">
        A page that checks its own site asks for trust again.{' '}
        <a href="/verify-ledger.mjs" className="link" download>
          verify-ledger.mjs
        </a>{' '}
        is one file to read, shares no code with this site, and needs{' '}
        <a href="https://nodejs.org/" className="link" rel="noopener">
          Node
        </a>{' '}
        18 or later and nothing else. It says that everything holds, or names the first row that does not.
      </p>
      <Commands title="The first time" what="the commands for the first time" text={fetchAll} />
      <Commands title="Every later time" what="the commands for every later time" text={later}>
        This finds what no signature can show alone: that rows were cut off, or that history was written anew,
        since you were here last.
      </Commands>
      <p className="mt-6 max-w-[65ch]">
        Or write your own:{' '}
        <a href={formatUrl} className="link">
          the format
        </a>{' '}
        is specified to the octet, with{' '}
        <a href={vectorsUrl} className="link">
          test vectors
        </a>
        . Compare the public key with one that you got from somebody else, and pin it with{' '}
        <code className="hash">--key</code>.
      </p>
    </section>
  )
}

function Commands({
  title,
  what,
  text,
  children,
}: {
  title: string
  what: string
  text: string
  children?: string
}) {
  return (
    <div className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-lg">{title}</h3>
        <Copy text={text} what={what} />
      </div>
      {children && <p className="mt-1 max-w-[65ch] text-muted">{children}</p>}
      <pre className="commands">
        <code>{text}</code>
      </pre>
    </div>
  )
}
