setTimeout(function () {
  fetch('waits.json').then(function (answer) { return answer.json() }).then(function (waits) {
    document.querySelectorAll('[data-queue]').forEach(function (row) {
      var button = document.createElement('button')
      var span = document.createElement('span')
      span.textContent = waits[row.dataset.queue]
      button.appendChild(span)
      button.appendChild(document.createTextNode(' MINUTES'))
      row.querySelector('.declasser3').appendChild(button)
    })
  })
}, 150)
