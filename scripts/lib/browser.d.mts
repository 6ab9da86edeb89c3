import type { Browser, Locator, Page } from 'playwright-core';

export const limitMs: number;
export function launchBrowser(): Promise<Browser>;
export function newPage(browser: Browser, viewport?: { width: number; height: number }): Promise<Page>;
export function enableAgent(page: Page): Promise<void>;
export function openWorkbench(page: Page, url: string, options?: { timeoutMs?: number }): Promise<void>;
export function waitForModel(page: Page, name?: string, options?: { timeoutMs?: number }): Promise<void>;
export function sendChat(page: Page, text: string): Promise<void>;
export function chatButton(page: Page, label: string | RegExp): Locator;
