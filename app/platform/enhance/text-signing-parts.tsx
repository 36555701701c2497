import { Trans, useLingui } from '@lingui/react/macro'
import { SigningFields } from '~/wallet/signing-fields'
import type { RefusedForm } from '../forms/refusal'
import { ScriptSentences } from '../locales/sentences'
import signUrl from './text-signing.ts?worker&url'
import { signSentences } from './text-signing-sentences'

// The parts of a page with a text that a wallet signs: with text-signing.ts by a button, without it by hand.

/** The place for the buttons of this browser's wallets. Hidden until there is one. */
export function WalletButtons() {
  return (
    <div hidden data-sign="">
      <div className="flex flex-wrap gap-3" data-wallets="" />
      <p className="mt-3" role="status" />
      <p className="mt-3 text-sm text-muted">
        <Trans>Or sign by hand, with a wallet that is not in this browser:</Trans>
      </p>
    </div>
  )
}

/** The text to sign and its signature, in a form that has the attribute `data-signed`. */
export function TextToSign({ text, refused }: { text: string; refused: RefusedForm | undefined }) {
  const { t } = useLingui()
  return (
    <SigningFields
      name="text"
      text={text}
      label={t({ message: 'Text', comment: 'What a wallet signs' })}
      hint={t`Copy all of it, and sign it as a message: in your wallet app, or with the command cast wallet sign.`}
      refused={refused}
    />
  )
}

/** The script, with its sentences. */
export function SigningScript() {
  return (
    <>
      <ScriptSentences of={signSentences} />
      <script type="module" src={signUrl} />
    </>
  )
}
