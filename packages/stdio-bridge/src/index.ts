export { runBridge } from './bridge.ts';
