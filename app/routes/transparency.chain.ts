export { exportChain as loader } from '~/ledger/export.server'
