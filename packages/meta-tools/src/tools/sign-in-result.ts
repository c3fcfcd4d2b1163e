import type { CallContext } from '@gateway/call-contract';
import type { MetaToolAnswer } from '../contract/meta-tool.ts';
import type { MetaToolPorts } from '../contract/ports.ts';
import { refusalResult } from '../contract/result.ts';

/** Returns the result of a call of a tool whose server the caller must sign in to, with the address when there is one. */
export const signInResult = async (
  { name, server }: { readonly name: string; readonly server: string },
  call: CallContext,
  ports: MetaToolPorts,
): Promise<MetaToolAnswer> => {
  const link = await ports.signInLink(server, call);
  return refusalResult({ code: 'tool.sign-in-required', name, server, link }, ports);
};
