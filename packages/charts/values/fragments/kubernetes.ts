import { z } from 'zod';

type JsonExample = Readonly<Record<string, unknown>>;

const described = (description: string, example: unknown) => ({
  description,
  ...(example !== undefined && { examples: [example] }),
});

/** A map of texts, such as labels. */
export const texts = (description: string, example?: Readonly<Record<string, string>>) =>
  z.record(z.string(), z.string()).default({}).meta(described(description, example));

/** A Kubernetes structure that is forwarded unchanged; the API server validates it. */
export const forwarded = (description: string, example?: JsonExample) =>
  z.looseObject({}).default({}).meta(described(description, example));

/** A list of Kubernetes structures that are forwarded unchanged. */
export const forwardedList = (description: string, example?: readonly JsonExample[]) =>
  z.array(z.looseObject({})).default([]).meta(described(description, example));

/** Compute resources of a container. */
export const resources = (defaults: {
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}) =>
  z.looseObject({}).default(defaults).meta({ description: 'Compute resources of the container.' });

/**
 * Egress of a workload.
 *
 * @param unknown what the chart does not know the addresses of
 */
export const networkEgress = (unknown: string) =>
  z
    .strictObject({
      enabled: z
        .boolean()
        .default(false)
        .meta({
          description: `Whether to restrict egress. Disabled by default, because the chart does not know ${unknown}.`,
        }),
      rules: forwardedList('Permitted destinations in addition to DNS: rules of a NetworkPolicy.', [
        { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 443 }] },
      ]),
      dns: forwardedList(
        'DNS peers. Empty: pods with the label `k8s-app: kube-dns` in any namespace.',
      ),
    })
    .prefault({})
    .meta({ description: 'Egress of the pods.' });
