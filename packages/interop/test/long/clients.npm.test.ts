import { testQuickClients } from './quick-clients.ts';

testQuickClients('npm');
