/** Shows the messages that the server of this page sends. A browser connects again by itself. */

const main = document.querySelector('main')
const source = new EventSource('messages')
source.onmessage = ({ data }) => {
  const articles = JSON.parse(data).map(({ sender, topic, seconds, html }) => {
    const article = document.createElement('article')
    const header = document.createElement('header')
    header.textContent = `${sender} · ${topic} · ${new Date(seconds * 1_000).toLocaleTimeString()}`
    const body = document.createElement('div')
    body.innerHTML = html
    article.append(header, body)
    return article
  })
  main.replaceChildren(...articles)
  articles.at(-1)?.scrollIntoView()
}
