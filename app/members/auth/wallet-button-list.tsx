import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useFetcher } from '@remix-run/react'
import { useRef, useState } from 'react'
import { Toast } from '../../platform/forms/toast'
import { useLanguage } from '../../platform/locales/react'
import type { Wallet } from '../../wallet/browser'
import { ContractWallets } from '../../wallet/contract-wallets'
import { signWith } from '../../wallet/signing'
import { type RefusedWallet, type WalletFault, walletNotice } from '../../wallet/wallet-faults'

export interface WalletButtonOptions {
  action: string
  /** The path from which the script loads the message to sign. */
  messagePath?: string
  /** Returns the text of a wallet's button, given the wallet's name. */
  label?: (wallet: string) => MessageDescriptor
}

/** Milliseconds after which the page says that the wallet has not responded. */
const patience = 30_000

const continueWith = (wallet: string) => msg`Continue with ${wallet}`

/** The buttons of `WalletButtons`, rendered only if there is at least one wallet. */
export default function WalletButtonList({
  wallets,
  action: address,
  messagePath = '/auth/wallet',
  label = continueWith,
}: WalletButtonOptions & { wallets: Wallet[] }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const unnamed = wallets.length > 1 ? t`another wallet in this browser` : t`your wallet`
  const [usedWallet, setUsedWallet] = useState<string | null>(null)
  const [fault, setFault] = useState<{ id: number; fault: WalletFault } | null>(null)
  const fetcher = useFetcher<RefusedWallet>()
  const pending = usedWallet !== null || fetcher.state !== 'idle'
  const answered = fault ? { id: fault.id, notice: walletNotice(fault.fault, i18n) } : fetcher.data
  const newest = useRef(0)
  const signIn = async (wallet: Wallet) => {
    const press = ++newest.current
    setUsedWallet(wallet.id)
    const late = setTimeout(() => {
      setFault({ id: Date.now(), fault: 'late' })
      setUsedWallet(null)
    }, patience)
    const signed = await signWith(wallet, messagePath)
    clearTimeout(late)
    // The wallet answered a question that the person has asked again since.
    if (press !== newest.current) return
    if (typeof signed === 'string') setFault({ id: Date.now(), fault: signed })
    else {
      setFault(null)
      fetcher.submit(signed, { method: 'post', action: address })
    }
    setUsedWallet(null)
  }
  return (
    <div className="mt-6 grid gap-3 border-t border-hairline pt-6">
      {!pending && <Toast key={answered?.id} notice={answered?.notice} />}
      {wallets.map((wallet) => (
        <button
          key={wallet.id}
          type="button"
          className="button"
          disabled={pending}
          onClick={() => void signIn(wallet)}
        >
          {wallet.icon && <img src={wallet.icon} alt="" width="20" height="20" />}
          <span className="wrap-anywhere">
            {usedWallet === wallet.id || (pending && wallets.length === 1)
              ? t`Loading...`
              : i18n._(label(wallet.name || unnamed))}
          </span>
        </button>
      ))}
      <ContractWallets />
    </div>
  )
}
