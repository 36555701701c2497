import { Trans } from '@lingui/react/macro'
import { Caption } from '~/ledger/caption'
import { ShownPicture } from '~/ledger/shown-picture'
import { SourceLink } from '~/ledger/source-link'
import { helpingWords } from '~/ledger/totals'
import type { PoolUpdate } from '~/ledger/updates.server'
import { Withdrawn } from '~/ledger/withdrawn'
import type { ImpactPool } from '~/platform/impact-pools'
import { Gap, useLanguage } from '~/platform/locales/react'
import { When } from '~/platform/ui/when'
import { EnglishWords, useLangOfEnglish } from '~/platform/ui/words'

export function Pictures({ pictures }: Pick<PoolUpdate, 'pictures'>) {
  const lang = useLangOfEnglish()
  return pictures.map((picture) => (
    <figure key={picture.path} className="not-first:mt-3">
      <ShownPicture picture={picture} lang={lang} lazy />
      <Caption picture={picture} />
    </figure>
  ))
}

/**
 * The text of an update, its date and its links. `id` is the id of the line with the date, which names the
 * update.
 */
export function UpdateText({
  pool,
  update,
  id,
  className,
}: {
  pool: ImpactPool
  update: PoolUpdate
  id: string
  /** The style of the text. */
  className: string
}) {
  const { publishedAt, text, textReason, links, helping, helpingSource } = update
  const helped = helpingWords(helping ?? 0, pool, useLanguage())
  return (
    <>
      <p className={`${className} whitespace-pre-line wrap-anywhere`}>
        {text !== null ? <EnglishWords>{text}</EnglishWords> : <Withdrawn reason={textReason} />}
      </p>
      {/* A line that begins with one of these facts has no indent. */}
      <p id={id} className="-ms-2 mt-1 text-sm text-muted">
        <span className="ms-2 inline-block">
          <Trans comment="An update of a pool, with its day">
            Update of <When date={publishedAt} day />
          </Trans>
        </span>
        {helping !== null && (
          <>
            {' '}
            <span className="ms-2 inline-block">
              <Trans comment="In a list of facts: how many people or animals a pool helps">
                helping {helped}
              </Trans>
            </span>
            <SourceLink url={helpingSource} />
          </>
        )}
      </p>
      {links.map((link) => (
        <p key={link} className="text-sm text-muted">
          <Trans comment="Before a link">More:</Trans>
          <Gap />
          <a
            href={link}
            title={link}
            className="link inline-block py-0.5 wrap-anywhere"
            rel="noopener nofollow"
          >
            <bdi>
              {hostOf(link)}
              <span className="sr-only">{link.slice(`https://${hostOf(link)}`.length)}</span>
            </bdi>
          </a>
        </p>
      ))}
    </>
  )
}

/**
 * The host of an https link. A link may have any text after the scheme, so the URL constructor could throw.
 */
function hostOf(link: string): string {
  return link.replace('https://', '').split(/[/?#]/, 1)[0] as string
}
