import type { NamedAddress } from '@gateway/gateway-config';
import { listenError } from '@gateway/service-host';
import type { Check } from './check.ts';

/** Time that the program at a port has for its answer, in milliseconds. */
const ANSWER_MS = 2_000;

const urlOf = ({ host, port }: NamedAddress): string => {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? host;
  return `http://${reachable.includes(':') && !reachable.startsWith('[') ? `[${reachable}]` : reachable}:${port.toString()}`;
};

/** Returns whether a gateway answers: its page at `/`, or its health check on a port that has no page. */
const isGateway = async (question: NamedAddress): Promise<boolean> => {
  const request = async (path: string): Promise<string> => {
    const answer = await fetch(`${urlOf(question)}${path}`, {
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

/** Checks that a gateway can listen at an address, or that one already does. */
export async function checkPort(question: NamedAddress): Promise<Check> {
  const { host, port, option } = question;
  const subject = `${host}:${port.toString()}`;
  const error = await listenError(question);
  if (error === undefined) return { area: 'port', subject, verdict: 'ok', message: 'free' };
  const { code = error.message } = error;
  if (code !== 'EADDRINUSE')
    return {
      ...{ area: 'port', subject, verdict: 'problem', message: `cannot be listened on: ${code}` },
      remedy: `Choose another address with --host and ${option}.`,
    };
  if (await isGateway(question))
    return { area: 'port', subject, verdict: 'ok', message: 'a gateway serves here' };
  return {
    ...{ area: 'port', subject, verdict: 'problem' },
    message: 'another program uses this port, and it is not a gateway',
    remedy: `End that program, or choose another port with ${option}.`,
  };
}
