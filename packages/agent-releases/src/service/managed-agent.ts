import { nameProblem, REFUSALS, refused, type Answer } from '@gateway/agent-manager-client';
import type { ObjectName } from '../store/objects.ts';
import type { AgentServiceParts } from './agent-service.ts';

/** Returns the requested namespace if it is managed; the default namespace for a blank one. */
export const managedNamespace = (
  { namespaces }: Pick<AgentServiceParts, 'namespaces'>,
  given: string | undefined,
): Answer<string> => {
  const namespace = given === undefined || given.trim() === '' ? namespaces[0] : given;
  return namespaces.includes(namespace)
    ? { ok: true, value: namespace }
    : { ok: false, refusal: REFUSALS.namespaceNotManaged({ namespace, managed: namespaces }) };
};

/** Returns the requested name of an agent, which must not be blank. The agent may not exist. */
export const managedAgent = (
  parts: Pick<AgentServiceParts, 'namespaces'>,
  given: { readonly namespace?: string | undefined; readonly name?: string | undefined },
): Answer<ObjectName> => {
  const namespace = managedNamespace(parts, given.namespace);
  if (!namespace.ok) return namespace;
  const name = given.name ?? '';
  return name.trim() === ''
    ? refused('invalid_request', nameProblem(name) ?? '')
    : { ok: true, value: { namespace: namespace.value, name } };
};
