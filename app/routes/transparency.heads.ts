export { exportHeads as loader } from '~/downloads/export.server'
