import {
  DEFAULT_HEALTH_PORT,
  type GatewayConfig,
  HEALTH_PORT_OPTION,
  healthAddress,
  type NamedAddress,
  PORT_OPTION,
  portClash,
} from '@gateway/gateway-config';
import { listenError, nodeVersionProblem, OLDEST_NODE } from '@gateway/service-host';
import type { Check } from './check.ts';

export const checkNode = (): Check => {
  const problem = nodeVersionProblem({ feature: 'gateway', minimum: OLDEST_NODE });
  return problem === undefined
    ? { area: 'node', code: 'node', verdict: 'ok', message: process.versions.node }
    : { area: 'node', code: 'node-too-old', verdict: 'problem', message: problem };
};

const ANSWER_MS = 2_000;

const urlOf = ({ host, port }: NamedAddress): string => {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? host;
  return `http://${reachable.includes(':') && !reachable.startsWith('[') ? `[${reachable}]` : reachable}:${port.toString()}`;
};

/** Returns whether a gateway answers: its page at `/`, or its health check on a port that has no page. */
const isGateway = async (address: NamedAddress): Promise<boolean> => {
  const request = async (path: string): Promise<string> => {
    const answer = await fetch(`${urlOf(address)}${path}`, {
      headers: { accept: 'text/plain' },
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: 'error',
    });
    return (await answer.text()).slice(0, 10_000);
  };
  try {
    if ((await request('/')).startsWith('MCP gateway ')) return true;
    return (await request('/metrics')).includes('gateway_catalog_tools');
  } catch {
    return false;
  }
};

const checkPort = async (address: NamedAddress): Promise<Check> => {
  const { host, port, option } = address;
  const about = { area: 'port', subject: `${host}:${port.toString()}` } as const;
  const error = await listenError(address);
  if (error === undefined) return { ...about, code: 'port-free', verdict: 'ok', message: 'free' };
  const { code = error.message } = error;
  if (code !== 'EADDRINUSE')
    return {
      ...about,
      code: 'port-unusable',
      verdict: 'problem',
      message: `cannot be listened on: ${code}`,
      remedy: `Choose another address with --host and ${option}.`,
    };
  if (await isGateway(address))
    return { ...about, code: 'port-gateway', verdict: 'ok', message: 'a gateway serves here' };
  return {
    ...about,
    code: 'port-taken',
    verdict: 'problem',
    message: 'another program uses this port, and it is not a gateway',
    remedy: `End that program, or choose another port with ${option}.`,
  };
};

/** Checks the addresses at which a gateway with this configuration listens. */
export const checkPorts = async (config: GatewayConfig): Promise<readonly Check[]> => {
  const { host, port } = config.http;
  const health = healthAddress(config, { host, healthListener: true });
  const own: NamedAddress = { host, port, option: PORT_OPTION };
  if (health === undefined) return [await checkPort(own)];
  const other: NamedAddress = { ...health, option: HEALTH_PORT_OPTION };
  const clash = portClash([own, other]);
  if (clash !== undefined)
    return [{ area: 'port', code: 'port-clash', verdict: 'problem', message: clash }];
  // A gateway starts without the default port of health checks when it is in use.
  const isNeeded = health.isConfigured || health.port !== DEFAULT_HEALTH_PORT;
  return Promise.all((isNeeded ? [own, other] : [own]).map(checkPort));
};
