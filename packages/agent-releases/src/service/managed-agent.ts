import { nameProblem, REFUSALS, refused, type Answer } from '@gateway/agent-manager-client';
import type { ObjectName } from '../store/objects.ts';
import type { AgentServiceParts } from './agent-service.ts';

/** The namespace that a caller means, if it is a managed one. Blank is none: the default one. */
export const managedNamespace = (
  { namespaces }: Pick<AgentServiceParts, 'namespaces'>,
  given: string | undefined,
): Answer<string> => {
  const namespace = given === undefined || given.trim() === '' ? namespaces[0] : given;
  return namespaces.includes(namespace)
    ? { ok: true, value: namespace }
    : { ok: false, refusal: REFUSALS.namespaceNotManaged({ namespace, managed: namespaces }) };
};

/** The agent that a caller means, by a name that says something; whether there is one is another question. */
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
