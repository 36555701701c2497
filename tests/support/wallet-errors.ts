/** The errors of wallets and of the libraries in them, as public reports show them. `source`: the report. */
export interface WalletError {
  wallet: string
  source: string
  error: unknown
}

/** The person declined. */
export const declined: WalletError[] = [
  {
    wallet: 'MetaMask for browsers',
    source: 'https://github.com/MetaMask/metamask-extension/issues/11613',
    error: { code: 4001, message: 'MetaMask Tx Signature: User denied transaction signature.' },
  },
  {
    wallet: 'MetaMask for browsers, wrapped by a library',
    source: 'https://github.com/MetaMask/metamask-extension/issues/11613',
    error: { code: -32603, data: { value: { code: 4001, message: 'User denied transaction signature.' } } },
  },
  {
    wallet: 'MetaMask for phones, a cancelled transaction',
    source: 'https://github.com/MetaMask/core/pull/200',
    error: { code: -32603, message: 'User cancelled the transaction' },
  },
  {
    wallet: 'MetaMask with a Ledger device',
    source: 'https://github.com/MetaMask/metamask-extension/issues/9510',
    error: {
      code: -32603,
      message:
        'Error: TransportStatusError: Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)',
    },
  },
  {
    wallet: 'MetaMask with a Ledger device, newer',
    source: 'https://github.com/MetaMask/accounts/pull/294',
    error: { message: 'Ledger: User rejected the transaction' },
  },
  {
    wallet: 'a wallet through WalletConnect',
    source: 'https://github.com/wevm/viem/pull/1045',
    error: { code: 5000, message: 'User rejected.' },
  },
  {
    wallet: 'a wallet through ethers 5.7',
    source: 'https://github.com/Uniswap/interface/pull/5996',
    error: { code: 'ACTION_REJECTED', message: 'user rejected transaction' },
  },
  {
    wallet: 'a wallet through ethers 6',
    source: 'https://github.com/BoltzExchange/boltz-web-app/issues/1220',
    error: { code: 'UNKNOWN_ERROR', info: { error: { code: 4001, data: { cause: 'rejectAllApprovals' } } } },
  },
  {
    wallet: 'Coinbase Wallet',
    source: 'https://github.com/MetaMask/metamask-extension/issues/5562',
    error: { code: -32000, message: 'User denied transaction signature' },
  },
  {
    wallet: 'Brave Wallet',
    source: 'https://github.com/KyberNetwork/kyberswap-interface/pull/1289',
    error: { code: -32603, message: 'The user rejected the request.' },
  },
  {
    wallet: 'Taho',
    source: 'https://github.com/tahowallet/extension/issues/2672',
    error: { message: 'The user rejected the request.' },
  },
  {
    wallet: 'Keplr',
    source: 'https://github.com/viaprotocol/web3-wallets/pull/58',
    error: { message: 'Request rejected' },
  },
  {
    wallet: 'Talisman',
    source: 'https://github.com/TalismanSociety/talisman-web/issues/918',
    error: { message: 'User Rejected Request' },
  },
  ...['cancel', 'Transaction was rejected', 'Cancelled by User'].map((message) => ({
    wallet: 'Trust Wallet and Safe',
    source: 'https://github.com/pancakeswap/pancake-frontend packages/swap/src/utils/isUserRejected.ts',
    error: { code: -32603, message },
  })),
  {
    wallet: 'TronLink',
    source: 'https://github.com/MultipleChain/tron-js src/utils.js',
    error: { message: 'Confirmation declined by user' },
  },
  {
    wallet: 'Vultisig',
    source: 'https://github.com/vultisig/vultisig-windows/pull/4565',
    error: { code: -32603, message: 'Request rejected by user' },
  },
  {
    wallet: 'a wallet through Wagmi',
    source: 'https://github.com/hemilabs/ui-monorepo/issues/634',
    error: { message: 'Error: User rejected the request' },
  },
  {
    wallet: 'a wallet that throws a text',
    source: 'https://github.com/MultipleChain/tron-js src/utils.js',
    error: 'User canceled',
  },
]

/** The wallet does not know the chain. */
export const unknownChain: WalletError[] = [
  {
    wallet: 'MetaMask for browsers',
    source: 'https://github.com/MetaMask/metamask-extension/pull/11030',
    error: { code: 4902, message: 'Unrecognized chain ID "0x38". Try adding the chain first.' },
  },
  {
    wallet: 'MetaMask for phones',
    source: 'https://github.com/Uniswap/web3-react/pull/774',
    error: {
      code: -32603,
      message: 'Unrecognized chain ID "0x38".',
      data: { originalError: { code: 4902 } },
    },
  },
  {
    wallet: 'MetaMask 10',
    source: 'https://github.com/MetaMask/metamask-extension/issues/18657',
    error: { code: -32603, message: 'Unrecognized chain ID "0x38".' },
  },
  {
    wallet: 'Trust Wallet, in the language of the phone',
    source: 'https://github.com/trustwallet/wallet-core/issues/4464',
    error: { message: 'Desteklenmeyen ağ' },
  },
  {
    wallet: 'Coinbase Wallet',
    source: 'https://github.com/coinbase/coinbase-wallet-sdk/issues/915',
    error: { code: -32603, message: 'Internal JSON-RPC error.' },
  },
  {
    wallet: 'AlphaWallet',
    source: 'https://github.com/AlphaWallet/alpha-wallet-ios/issues/3887',
    error: { message: '{"message":"Unrecognized chain ID 0x38.","code":4902}' },
  },
  {
    wallet: 'Zerion',
    source: 'https://github.com/zeriontech/zerion-wallet-extension/pull/519',
    error: { code: 4902, message: 'Chain not configured' },
  },
  {
    wallet: 'a wallet through WalletConnect',
    source: 'https://github.com/WalletConnect/WalletConnectUnity/issues/232',
    error: { code: 5100, message: 'Unsupported chains' },
  },
]

/** No person declined, and the wallet may have sent the payment. */
export const notDeclined: WalletError[] = [
  {
    wallet: 'a node',
    source: 'https://eips.ethereum.org/EIPS/eip-1474',
    error: { code: -32003, message: 'Transaction rejected' },
  },
  {
    wallet: 'a contract',
    source: 'https://eips.ethereum.org/EIPS/eip-1474',
    error: { code: -32000, message: 'execution reverted: transfer denied' },
  },
  {
    wallet: 'Ledger without blind signing',
    source: 'https://github.com/LedgerHQ/app-ethereum/issues/74',
    error: { code: -32603, message: 'TransportStatusError: Ledger device: Invalid data received (0x6a80)' },
  },
  {
    wallet: 'a wallet whose method is not allowed',
    source: 'https://github.com/ethereum/EIPs/pull/2240',
    error: { code: 4100, message: 'The requested method has not been authorized by the user.' },
  },
  {
    wallet: 'a wallet without the method',
    source: 'https://github.com/WalletConnect/modal-react-native/issues/44',
    error: { code: -32601, message: 'the method wallet_addEthereumChain does not exist/is not available' },
  },
]
