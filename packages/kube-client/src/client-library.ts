/**
 * The parts of the official client that are used. Loaded on demand by `await import`, because a program without a cluster does not need
 * them. Named one by one, so that a bundler omits the thousand unused models and interfaces.
 */
export { KubeConfig } from '@kubernetes/client-node';
