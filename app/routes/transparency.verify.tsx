import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import checkLogUrl from '~/enhance/check-log.ts?worker&url'
import { ledgerLog } from '~/ledger/ledger-log'
import { readRollback } from '~/ledger/proof.server'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { ListUnavailable } from '~/ledger/unavailable'
import { readCheckpoint, type SignedCheckpoint } from '~/log/published-log.server'
import { formatCount } from '~/money'
import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { Copy } from '~/ui/copy'
import { PageHeader } from '~/ui/page-header'
import { Steps } from '~/ui/steps'
import { When } from '~/ui/when'

export const handle = cached()

export const meta = pageMeta({
  title: 'Check the ledger',
  description:
    'Every row of the ledger is an entry of a public log that can only grow, and whose state is signed. Check it in this page, or without us.',
  path: '/transparency/verify',
})

export async function loader({ context }: LoaderFunctionArgs) {
  const { config, log } = context
  const backend = context.publicBackend()
  const [checkpoint, rollback] = await Promise.all([
    readCheckpoint(backend, ledgerLog, log),
    readRollback(backend, log),
  ])
  return { checkpoint, rollback, siteUrl: config.SITE_URL }
}

export default function Verify() {
  const { checkpoint, rollback, siteUrl } = useLoaderData<typeof loader>()
  return (
    <>
      <TransparencyNavigation current="/transparency/verify" />
      <PageHeader
        title="Check the ledger"
        tagline="Every row is an entry of a public log that can only grow. Change one, and the hash that was signed no longer fits."
      />
      <Steps
        title="How it works"
        steps={[
          {
            title: 'Each row is hashed',
            text: 'A row is one line of text. Its hash is combined with its neighbour’s, pair by pair, up to a single hash: the root.',
          },
          {
            title: 'The root is signed',
            text: 'A checkpoint says how many rows there are and what their root is. It is signed and published about every minute.',
          },
          {
            title: 'Checkpoints are kept',
            text: 'By you, by feed readers, in our archive and in transactions on the chain. Whoever has an old one can prove that nothing before it was changed.',
          },
        ]}
      />
      {rollback && (
        <section className="column pt-section" aria-label="Signing has stopped">
          <p className="notice">
            <strong>Signing has stopped.</strong> On <When date={rollback.noticedAt} /> our database was
            behind a checkpoint of {formatCount(rollback.size)} entries that we had signed: it was restored
            from a backup. Nothing is signed until we explain it in the log itself.
          </p>
        </section>
      )}
      <section className="column pt-section" aria-labelledby="checkpoint-title">
        <h2 id="checkpoint-title" className="text-heading">
          The latest signed checkpoint
        </h2>
        {checkpoint === null ? (
          <ListUnavailable what="We can't load the signed checkpoint right now." />
        ) : (
          <LatestCheckpoint checkpoint={checkpoint} />
        )}
      </section>
      <section id="check" className="column pt-section" aria-labelledby="check-title">
        <h2 id="check-title" className="text-heading">
          Check it here
        </h2>
        <p className="mt-4 max-w-[65ch]">
          Your browser downloads every entry, computes every hash itself, and compares the root with the
          signed one. Name a checkpoint that you kept, and it also proves that nothing before it was changed
          since. To check one payment only, open its row: that takes a few kilobytes.
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
        <script type="module" src={checkLogUrl} />
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
    name: 'The log proves',
    text: 'that a row is among those that were signed, unchanged, and that a later checkpoint contains every earlier row. A note or a proof link may be withdrawn, with a public reason; its hash stays.',
  },
  {
    name: 'A signature alone does not prove',
    text: 'that everybody sees the same history. Whoever holds the key could sign two. So compare checkpoints: keep one, ask a friend for theirs, or look up the ones that are written into the chain.',
  },
  {
    name: 'Neither proves',
    text: 'that a payment took place, or what it was for. The payment stands on BNB Smart Chain: each row names its transaction, and says what checking it there found. What it was for is our statement.',
  },
]

function LatestCheckpoint({ checkpoint }: { checkpoint: SignedCheckpoint | 'none' }) {
  if (checkpoint === 'none')
    return <p className="notice">No checkpoint has been signed yet, so nothing can be proven yet.</p>
  const facts = [
    { name: 'Covers', value: checkpoint.size === 1 ? '1 entry' : `${formatCount(checkpoint.size)} entries` },
    { name: 'Signed', value: <When date={checkpoint.signed_at} /> },
    { name: 'Root', value: <code className="hash">{checkpoint.root}</code> },
    { name: 'Verifier key', value: <code className="hash">{checkpoint.vkey}</code> },
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
        <a href="/transparency/log/checkpoint" className="link" download="checkpoint.txt">
          Keep this checkpoint
        </a>
        <a href="/transparency/log/checkpoints.ndjson" className="link" download>
          All checkpoints so far
        </a>
        <a href="/transparency/log/anchors.ndjson" className="link" download>
          Transactions that hold one
        </a>
      </p>
    </div>
  )
}

function WithoutUs({ siteUrl }: { siteUrl: string }) {
  const often = `curl -fO ${siteUrl}/verify-ledger.mjs
node verify-ledger.mjs ${siteUrl}`
  const whole = `curl -fO ${siteUrl}/transparency/log/checkpoint
curl -fO ${siteUrl}/transparency/log/vkey
curl -fO ${siteUrl}/transparency/log/texts.ndjson
curl -fO ${siteUrl}/transparency/log.ndjson
node verify-ledger.mjs log.ndjson checkpoint --vkey vkey --texts texts.ndjson`
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
        18 or later and nothing else.
      </p>
      <Commands title="Now and then" what="the commands for now and then" text={often}>
        It remembers the checkpoint. The next time, the site has to prove with a few kilobytes that its log
        only grew since then: this finds entries cut off and history rewritten.
      </Commands>
      <Commands title="Every entry" what="the commands for every entry" text={whole}>
        It downloads everything, computes the root, and compares each note with its hash.
      </Commands>
      <p className="mt-6 max-w-[65ch]">
        Or use somebody else’s program: the log follows{' '}
        <a href="https://www.rfc-editor.org/rfc/rfc6962" className="link" rel="noopener">
          RFC 6962
        </a>{' '}
        and the{' '}
        <a href="https://c2sp.org/tlog-tiles" className="link" rel="noopener">
          C2SP specifications
        </a>{' '}
        of transparency logs, below <code className="hash">{siteUrl}/transparency/log/</code>.{' '}
        <a href="/ledger/format.md" className="link">
          The format
        </a>{' '}
        of the entries is published, with{' '}
        <a href="/ledger/log-vectors.json" className="link">
          test vectors
        </a>
        . Compare the verifier key with one that you got from somebody else, and pin it with{' '}
        <code className="hash">--vkey</code>.
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
