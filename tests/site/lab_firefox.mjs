// Uses the lab in Firefox, by WebDriver BiDi: lab_firefox.mjs PLACE PROGRAM STORY. Prints a line of JSON: what the page says with
// the engine, and what it says where Firefox may not suspend WebAssembly. Called by lab_checks.py.
import {createRequire} from 'node:module';

const [place, program, story] = process.argv.slice(2);
const {default: puppeteer} = await import(createRequire(`${process.cwd()}/build/firefox/`).resolve('puppeteer-core'));
const kPatience = 60_000;

async function look(extraPrefsFirefox, act) {
  const browser = await puppeteer.launch({browser: 'firefox', executablePath: program, headless: true, extraPrefsFirefox});
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(kPatience);
    await page.goto(`${place}?story=${story}`);
    await page.waitForFunction(() => document.body.dataset.filled === 'true');
    return {version: await browser.version(), ...await act(page)};
  } finally {
    await browser.close();
  }
}

const status = (page) => page.$eval('#status', (each) => each.textContent);

async function play(page) {
  if (!await page.evaluate(() => 'Suspending' in WebAssembly)) {
    return {said: null};
  }
  await page.waitForFunction(() => !document.getElementById('play').disabled);
  await page.click('#play');
  await page.waitForSelector('#page iframe');
  await page.waitForFunction(() => document.getElementById('stop').disabled);
  return {said: await status(page)};
}

async function read(page) {
  await page.waitForFunction(() => document.getElementById('status').className === 'bad');
  await page.click('#open-catalogue');
  return {said: await status(page), stories: await page.$$eval('#entries li', (all) => all.length),
    text: await page.$eval('.cm-content', (each) => each.textContent), recorded: await page.$('#page iframe') !== null};
}

const kSwitch = 'javascript.options.wasm_js_promise_integration';
console.log(JSON.stringify({plays: await look({[kSwitch]: true}, play), reads: await look({[kSwitch]: false}, read)}));
