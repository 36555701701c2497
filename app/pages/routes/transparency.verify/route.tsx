import { msg, ph } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { findAnchor, readRollback } from '~/ledger/proof.server'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { ListUnavailable } from '~/ledger/unavailable'
import { Cosigned, listWitnesses } from '~/ledger/witnesses'
import { ledgerLog } from '~/log/ledger-log'
import {
  type FormerName,
  listFormerNames,
  readCheckpoint,
  type SignedCheckpoint,
} from '~/log/published-log.server'
import { Gap, useLanguage } from '~/platform/locales/react'
import { ScriptSentences } from '~/platform/locales/sentences'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { CommandLines } from '~/platform/ui/command-lines'
import { Copy } from '~/platform/ui/copy'
import { PageHeader } from '~/platform/ui/page-header'
import { Section } from '~/platform/ui/section'
import { Steps } from '~/platform/ui/steps'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'
import checkLogUrl from './check-log.ts?worker&url'
import { checkSentences } from './check-sentences'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: msg`Check the ledger`,
  description: msg`Every row of our ledger is in a public, signed log that can only grow. Check it on this page, or without us.`,
  path: '/transparency/verify',
})

export async function loader({ context }: LoaderFunctionArgs) {
  const { config } = context
  const data = context.publicData()
  const [checkpoint, formerNames, rollback, anchor] = await Promise.all([
    readCheckpoint(data, ledgerLog, config),
    listFormerNames(data, ledgerLog),
    readRollback(data),
    findAnchor(data, 0),
  ])
  return {
    checkpoint,
    formerNames,
    rollback,
    isAnchored: anchor !== null,
    witnesses: listWitnesses(config),
    siteUrl: config.SITE_URL,
  }
}

export default function Verify() {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const { checkpoint, formerNames, rollback, isAnchored, witnesses, siteUrl } = useLoaderData<typeof loader>()
  // Before the first checkpoint, there is nothing to check. If the checkpoint cannot be read, it may still exist.
  const isEmpty = checkpoint === 'none'
  return (
    <>
      <TransparencyNavigation current="/transparency/verify" />
      <PageHeader
        title={t`Check the ledger`}
        tagline={t`Every row is in a public log that can only grow. Change one row, and the fingerprint we signed no longer matches.`}
      />
      <Steps
        title={t`How it works`}
        steps={[
          {
            title: t`Every row gets a fingerprint`,
            text: t`We compute a fingerprint (SHA-256) of each row, then combine them in pairs until one is left. That one is the root, and it covers every row.`,
          },
          {
            title: t`We sign the root`,
            text: t`We sign the root and the number of rows, and publish both. That is a checkpoint.`,
          },
          {
            title: t`Everyone keeps checkpoints`,
            text: isAnchored
              ? t`We archive every one and write some of them to the blockchain. You can keep them too. An old checkpoint reveals any later change.`
              : t`We archive every one. You can keep them too. An old checkpoint reveals any later change.`,
          },
        ]}
      />
      {rollback && (
        <section className="column pt-section" aria-label={t`Signing has stopped`}>
          <p className="notice">
            <Trans>
              <strong>Signing has stopped.</strong> On <When date={rollback.noticedAt} /> we found that our
              database was restored from an old backup: it has fewer than the{' '}
              {ph({ size: formats.count(rollback.size) })} entries we had signed. We sign nothing until we
              explain this in the log itself.
            </Trans>
          </p>
        </section>
      )}
      <Section heading="checkpoint-title" title={t`The latest signed checkpoint`}>
        {checkpoint === null ? (
          <ListUnavailable what={t`We can't load the signed checkpoint right now.`} />
        ) : (
          <LatestCheckpoint checkpoint={checkpoint} />
        )}
        {formerNames?.map((former) => (
          <FormerNameNotice key={former.origin} former={former} />
        ))}
      </Section>
      {checkpoint && checkpoint !== 'none' && (
        <Section heading="witnesses-title" title={t`Witnesses`}>
          <p className="mt-4 max-w-[65ch]">
            <Trans>
              A witness is someone else who also signs our checkpoints. It remembers the newest one, and signs
              the next only if no earlier row has changed.
            </Trans>
            {witnesses.list.length > 0 && (
              <>
                <Gap />
                <Trans>So we couldn't show two people two histories without the help of our witnesses.</Trans>
              </>
            )}
          </p>
          <Cosigned note={checkpoint.note} witnesses={witnesses} />
        </Section>
      )}
      {!isEmpty && <CheckHere />}
      <Section heading="proof-title" title={t`What this proves, and what it doesn't`}>
        <dl className="mt-6 grid gap-x-10 gap-y-6 md:grid-cols-3">
          {limits.map(({ name, text, unanchored = text }) => (
            <div key={name.id} className="border-t-2 border-ink pt-4">
              <dt className="font-display text-lg font-semibold">{i18n._(name)}</dt>
              <dd className="mt-1 text-muted">{i18n._(isAnchored ? text : unanchored)}</dd>
            </div>
          ))}
        </dl>
      </Section>
      {!isEmpty && <WithoutUs siteUrl={siteUrl} />}
    </>
  )
}

const limits = [
  {
    name: msg`What the log proves`,
    text: msg`That no row was changed, deleted or moved after we signed it. We can withdraw a note or a proof link, with a public reason. Its fingerprint stays.`,
  },
  {
    name: msg`What a signature can't prove`,
    text: msg`That everyone sees the same history. Someone with our key could sign two different ones. So compare checkpoints: keep one, ask a friend for theirs, or look up the ones on the blockchain.`,
    /** Before a checkpoint is on the blockchain. */
    unanchored: msg`That everyone sees the same history. Someone with our key could sign two different ones. So compare checkpoints: keep one, and ask a friend for theirs.`,
  },
  {
    name: msg`What neither proves`,
    text: msg`That a payment took place, or what it was for. To check a payment, open its transaction on BNB Smart Chain. For its purpose, you have only our word.`,
  },
]

function LatestCheckpoint({ checkpoint }: { checkpoint: SignedCheckpoint | 'none' }) {
  const { t } = useLingui()
  if (checkpoint === 'none')
    return (
      <p className="notice">
        <Trans>No checkpoint has been signed yet, so there is nothing to check.</Trans>
        <Gap />
        <Trans>After the first checkpoint, you can check every row here or with a separate program.</Trans>
      </p>
    )
  const facts = [
    { name: t`Covers`, value: <Plural value={checkpoint.size} one="# entry" other="# entries" /> },
    { name: t`Signed`, value: <When date={checkpoint.signed_at} /> },
    { name: t`Root`, value: <code className="hash">{checkpoint.root}</code> },
    { name: t`Verifier key`, value: <code className="hash">{checkpoint.vkey}</code> },
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
          <Trans>Save this checkpoint</Trans>
        </a>
        <a href="/transparency/log/checkpoints.ndjson" className="link" download>
          <Trans>Download all checkpoints</Trans>
        </a>
        <a href="/transparency/log/anchors.ndjson" className="link" download>
          <Trans>Checkpoints on the blockchain</Trans>
        </a>
      </p>
    </div>
  )
}

/** A checkpoint under a former name cannot be compared with one of today, so readers need that name. */
function FormerNameNotice({ former: { origin, vkey, until, reason } }: { former: FormerName }) {
  const words = <EnglishWords>{reason}</EnglishWords>
  return (
    <div className="panel mt-6">
      <p>
        <Trans>
          <strong>This log had another name</strong> until <When date={until} />, when we signed again after
          our database was restored from a backup. Our reason, which is in the log too: “{words}” The archive
          keeps the checkpoints of the former name, except those signed after the backup.
        </Trans>
      </p>
      <dl className="figures mt-3 grid gap-x-8 sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="text-muted">
          <Trans>Former name</Trans>
        </dt>
        <dd className="mb-3 wrap-anywhere">
          <code className="hash">{origin}</code>
        </dd>
        <dt className="text-muted">
          <Trans>Its verifier key</Trans>
        </dt>
        <dd className="wrap-anywhere">
          <code className="hash">{vkey}</code>
        </dd>
      </dl>
    </div>
  )
}

function CheckHere() {
  const { t } = useLingui()
  return (
    <Section id="check" heading="check-title" title={t`Check it here`}>
      <p className="mt-4 max-w-[65ch]">
        <Trans>
          Your browser downloads every row and recomputes every fingerprint. Add a checkpoint you saved
          earlier, and it also finds rows that were removed or rewritten since. To check just one payment,
          open its page.
        </Trans>
      </p>
      <div className="panel mt-6" data-check-ledger>
        <p>
          <Trans>
            This check runs in your browser. It needs JavaScript and a secure connection (https).{' '}
            <a href="#without-us" className="link">
              Without it, check with the program below
            </a>
            .
          </Trans>
        </p>
      </div>
      <ScriptSentences of={checkSentences} />
      <script type="module" src={checkLogUrl} />
    </Section>
  )
}

function WithoutUs({ siteUrl }: { siteUrl: string }) {
  const { t } = useLingui()
  const often = `curl -fO ${siteUrl}/verify-ledger.mjs
node verify-ledger.mjs ${siteUrl}`
  const whole = `curl -fO ${siteUrl}/transparency/log/checkpoint
curl -fO ${siteUrl}/transparency/log/vkey
curl -fO ${siteUrl}/transparency/log/texts.ndjson
curl -fO ${siteUrl}/transparency/log.ndjson
node verify-ledger.mjs log.ndjson checkpoint --vkey vkey --texts texts.ndjson`
  return (
    <Section id="without-us" heading="without-title" title={t`Check it without us`}>
      <p className="mt-4 max-w-[65ch]">
        <Trans>
          Don't trust our page to check itself? Run{' '}
          <a href="/verify-ledger.mjs" className="link" download>
            verify-ledger.mjs
          </a>
          : one file, separate from this site, that needs only{' '}
          <a href="https://nodejs.org/" className="link" rel="noopener">
            Node
          </a>{' '}
          18 or later. It says what it checked, what it didn't, and what is wrong.
        </Trans>
      </p>
      <Commands title={t`Now and then`} what={t`the commands for now and then`} text={often}>
        <Trans>
          It saves the checkpoint. Next time, it finds any rows that were removed or rewritten since your last
          check. It downloads only a few kilobytes.
        </Trans>
      </Commands>
      <Commands title={t`Every entry`} what={t`the commands for every entry`} text={whole}>
        <Trans>
          It downloads everything, recomputes the root, and compares each note with its fingerprint.
        </Trans>
      </Commands>
      <p className="mt-6 max-w-[65ch]">
        <Trans>
          Or use someone else’s program: the log follows{' '}
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
          is fully documented, with{' '}
          <a href="/ledger/log-vectors.json" className="link">
            test data
          </a>
          . Compare the verifier key with a copy from someone you trust, and pass it with{' '}
          <code className="hash">--vkey</code>.
        </Trans>
      </p>
    </Section>
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
  children?: ReactNode
}) {
  return (
    <div className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-lg">{title}</h3>
        <Copy text={text} what={what} />
      </div>
      {children && <p className="mt-1 max-w-[65ch] text-muted">{children}</p>}
      <CommandLines>{text}</CommandLines>
    </div>
  )
}
