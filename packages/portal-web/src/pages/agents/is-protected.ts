import type { Agent } from '@gateway/agent-manager-client';

/** Returns whether agent-manager writes or deletes an agent only with `force`. @spec §4.4 */
export const isProtected = ({
  managed,
  helmRelease,
}: Pick<Agent, 'managed' | 'helmRelease'>): boolean =>
  managed !== 'helmrelease' || helmRelease?.suspended === true;
