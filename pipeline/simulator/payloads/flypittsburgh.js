(function(){{{base}}
fetch(base+"acaa-dna-api-prod.azure-api.net/tsa/wait-times",{headers:{"Ocp-Apim-Subscription-Key":"{{key}}"}});
})();
