/**
 * What is used of the official client. Loaded when a cluster is asked for, by `await import`: whoever keeps agents in a directory
 * does not pay for it. Named one by one, so that a bundler leaves out the thousand models and interfaces that nobody calls.
 */
export { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';
