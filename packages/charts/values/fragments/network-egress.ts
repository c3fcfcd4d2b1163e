import { z } from 'zod';
import { forwardedList } from './kubernetes.ts';

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
