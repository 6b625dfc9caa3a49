(self.webpackChunk_N_E=self.webpackChunk_N_E||[]).push([[179],{4021:function(){
var maps={clientId:"a91c7704",clientSecret:"not-for-this-api-{{other_key}}"};
var waits={headers:{"api-key":"{{key}}","api-version":"{{version}}",Accept:"application/json"}};
{{base}}
[{{#apis}}"{{api}}",{{/apis}}].forEach(function(api){
fetch(base+api,{headers:waits.headers}).then(function(answer){return answer.json()}).then(function(body){
var list=body.data&&(body.data.wait_times||body.data.checkpoints)||[];
list.forEach(function(row){var line=document.createElement("li");line.textContent=row.name+" "+row.lane+": "+row.waitSeconds;
document.getElementById("waits").appendChild(line)})})});
}}]);self.webpackChunk_N_E.forEach(function(chunk){for(var id in chunk[1])chunk[1][id]()});
