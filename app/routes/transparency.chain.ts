export { exportChain as loader } from '~/downloads/export.server'
