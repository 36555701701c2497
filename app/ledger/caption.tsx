import { Trans } from '@lingui/react/macro'
import { EnglishWords } from '../platform/ui/words'
import { captionFacts, isPhotograph, type UpdatePicture } from './update-picture'

/** The caption of a picture: who is on a photograph, where and when; or that it is a drawing. */
export function Caption({ picture }: { picture: UpdatePicture }) {
  const facts = captionFacts.flatMap((fact) => picture[fact] ?? [])
  if (facts.length === 0 && isPhotograph(picture)) return null
  return (
    <figcaption className="mt-1 text-sm text-muted wrap-anywhere">
      {facts.length > 0 ? (
        <EnglishWords>{facts.join(' · ')}</EnglishWords>
      ) : (
        <Trans comment="The caption of a picture: it is not a photograph">Drawing</Trans>
      )}
    </figcaption>
  )
}
