// TestUSDT, as contracts/scripts/compile.ts wrote it. Change the source and compile it again instead.

export const testUsdtAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "admin",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [],
    "name": "AccessControlBadConfirmation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "neededRole",
        "type": "bytes32"
      }
    ],
    "name": "AccessControlUnauthorizedAccount",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ECDSAInvalidSignature",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "length",
        "type": "uint256"
      }
    ],
    "name": "ECDSAInvalidSignatureLength",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "s",
        "type": "bytes32"
      }
    ],
    "name": "ECDSAInvalidSignatureS",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "allowance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "ERC20InsufficientAllowance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "balance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "ERC20InsufficientBalance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "approver",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidApprover",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "receiver",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidReceiver",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidSender",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidSpender",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "deadline",
        "type": "uint256"
      }
    ],
    "name": "ERC2612ExpiredSignature",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "signer",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "ERC2612InvalidSigner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "currentNonce",
        "type": "uint256"
      }
    ],
    "name": "InvalidAccountNonce",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "InvalidShortString",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "str",
        "type": "string"
      }
    ],
    "name": "StringTooLong",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAddress",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Approval",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [],
    "name": "EIP712DomainChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "previousAdminRole",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "newAdminRole",
        "type": "bytes32"
      }
    ],
    "name": "RoleAdminChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "RoleGranted",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "RoleRevoked",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Transfer",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "DEFAULT_ADMIN_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "DOMAIN_SEPARATOR",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "MINTER_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      }
    ],
    "name": "allowance",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "approve",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "balanceOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "decimals",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "eip712Domain",
    "outputs": [
      {
        "internalType": "bytes1",
        "name": "fields",
        "type": "bytes1"
      },
      {
        "internalType": "string",
        "name": "name",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "version",
        "type": "string"
      },
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "verifyingContract",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "salt",
        "type": "bytes32"
      },
      {
        "internalType": "uint256[]",
        "name": "extensions",
        "type": "uint256[]"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      }
    ],
    "name": "getRoleAdmin",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "grantRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "hasRole",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "mint",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "name",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "nonces",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "deadline",
        "type": "uint256"
      },
      {
        "internalType": "uint8",
        "name": "v",
        "type": "uint8"
      },
      {
        "internalType": "bytes32",
        "name": "r",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "s",
        "type": "bytes32"
      }
    ],
    "name": "permit",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "callerConfirmation",
        "type": "address"
      }
    ],
    "name": "renounceRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "revokeRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes4",
        "name": "interfaceId",
        "type": "bytes4"
      }
    ],
    "name": "supportsInterface",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "symbol",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalSupply",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "transfer",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "transferFrom",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;

export const testUsdtBytecode =
  "0x610160604052348015610010575f5ffd5b506040516116b53803806116b583398101604081905261002f916102a7565b6040518060400160405280600981526020016815195cdd081554d11560ba1b81525080604051806040016040528060018152602001603160f81b8152506040518060400160405280600981526020016815195cdd081554d11560ba1b815250604051806040016040528060048152602001631554d11560e21b81525081600390816100ba9190610377565b5060046100c78282610377565b5050506100d9826101b460201b60201c565b610120526100e6816101b4565b61014052815160208084019190912060e052815190820120610100524660a05261017260e05161010051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60805250503060c052506001600160a01b0381166101a35760405163d92e233d60e01b815260040160405180910390fd5b6101ad5f826101fa565b505061048d565b5f5f829050601f815111156101e7578260405163305a27a960e01b81526004016101de9190610435565b60405180910390fd5b80516101f28261046a565b179392505050565b5f8281526008602090815260408083206001600160a01b038516845290915281205460ff1661029e575f8381526008602090815260408083206001600160a01b03861684529091529020805460ff191660011790556102563390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a45060016102a1565b505f5b92915050565b5f602082840312156102b7575f5ffd5b81516001600160a01b03811681146102cd575f5ffd5b9392505050565b634e487b7160e01b5f52604160045260245ffd5b600181811c908216806102fc57607f821691505b60208210810361031a57634e487b7160e01b5f52602260045260245ffd5b50919050565b601f821115610372578282111561037257805f5260205f20601f840160051c602085101561034b57505f5b90810190601f840160051c035f5b8181101561036e575f83820155600101610359565b5050505b505050565b81516001600160401b03811115610390576103906102d4565b6103a48161039e84546102e8565b84610320565b6020601f8211600181146103d6575f83156103bf5750848201515b5f19600385901b1c1916600184901b17845561042e565b5f84815260208120601f198516915b8281101561040557878501518255602094850194600190920191016103e5565b508482101561042257868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b8051602080830151919081101561031a575f1960209190910360031b1b16919050565b60805160a05160c05160e0516101005161012051610140516111d76104de5f395f610a5e01525f610a3301525f61093901525f61091101525f61086c01525f61089601525f6108c001526111d75ff3fe608060405234801561000f575f5ffd5b506004361061013d575f3560e01c806370a08231116100b4578063a217fddf11610079578063a217fddf1461029b578063a9059cbb146102a2578063d505accf146102b5578063d5391393146102c8578063d547741f146102ef578063dd62ed3e14610302575f5ffd5b806370a082311461022a5780637ecebe001461025257806384b0196e1461026557806391d148541461028057806395d89b4114610293575f5ffd5b8063248a9ca311610105578063248a9ca3146101b65780632f2ff15d146101d8578063313ce567146101ed5780633644e515146101fc57806336568abe1461020457806340c10f1914610217575f5ffd5b806301ffc9a71461014157806306fdde0314610169578063095ea7b31461017e57806318160ddd1461019157806323b872dd146101a3575b5f5ffd5b61015461014f366004610eef565b61033a565b60405190151581526020015b60405180910390f35b610171610370565b6040516101609190610f4b565b61015461018c366004610f78565b610400565b6002545b604051908152602001610160565b6101546101b1366004610fa0565b610417565b6101956101c4366004610fda565b5f9081526008602052604090206001015490565b6101eb6101e6366004610ff1565b61043a565b005b60405160068152602001610160565b610195610464565b6101eb610212366004610ff1565b610472565b6101eb610225366004610f78565b6104aa565b61019561023836600461101b565b6001600160a01b03165f9081526020819052604090205490565b61019561026036600461101b565b6104de565b61026d6104fb565b6040516101609796959493929190611034565b61015461028e366004610ff1565b61053d565b610171610567565b6101955f81565b6101546102b0366004610f78565b610576565b6101eb6102c33660046110ca565b610583565b6101957f9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a681565b6101eb6102fd366004610ff1565b6106be565b610195610310366004611137565b6001600160a01b039182165f90815260016020908152604080832093909416825291909152205490565b5f6001600160e01b03198216637965db0b60e01b148061036a57506301ffc9a760e01b6001600160e01b03198316145b92915050565b60606003805461037f9061115f565b80601f01602080910402602001604051908101604052809291908181526020018280546103ab9061115f565b80156103f65780601f106103cd576101008083540402835291602001916103f6565b820191905f5260205f20905b8154815290600101906020018083116103d957829003601f168201915b5050505050905090565b5f3361040d8185856106e2565b5060019392505050565b5f336104248582856106ef565b61042f858585610765565b506001949350505050565b5f82815260086020526040902060010154610454816107c2565b61045e83836107cf565b50505050565b5f61046d610860565b905090565b6001600160a01b038116331461049b5760405163334bd91960e11b815260040160405180910390fd5b6104a58282610989565b505050565b7f9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a66104d4816107c2565b6104a583836109f4565b6001600160a01b0381165f9081526007602052604081205461036a565b5f6060805f5f5f606061050c610a2c565b610514610a57565b604080515f80825260208201909252600f60f81b9b939a50919850469750309650945092509050565b5f9182526008602090815260408084206001600160a01b0393909316845291905290205460ff1690565b60606004805461037f9061115f565b5f3361040d818585610765565b834211156105ac5760405163313c898160e11b8152600481018590526024015b60405180910390fd5b5f7f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c98888886105f78c6001600160a01b03165f90815260076020526040902080546001810190915590565b6040805160208101969096526001600160a01b0394851690860152929091166060840152608083015260a082015260c0810186905260e0016040516020818303038152906040528051906020012090505f61065182610a82565b90505f61066082878787610aae565b9050896001600160a01b0316816001600160a01b0316146106a7576040516325c0072360e11b81526001600160a01b0380831660048301528b1660248201526044016105a3565b6106b28a8a8a6106e2565b50505050505050505050565b5f828152600860205260409020600101546106d8816107c2565b61045e8383610989565b6104a58383836001610ada565b6001600160a01b038381165f908152600160209081526040808320938616835292905220545f1981101561045e578181101561075757604051637dc7a0d960e11b81526001600160a01b038416600482015260248101829052604481018390526064016105a3565b61045e84848484035f610ada565b6001600160a01b03831661078e57604051634b637e8f60e11b81525f60048201526024016105a3565b6001600160a01b0382166107b75760405163ec442f0560e01b81525f60048201526024016105a3565b6104a5838383610bac565b6107cc8133610cd2565b50565b5f6107da838361053d565b610859575f8381526008602090815260408083206001600160a01b03861684529091529020805460ff191660011790556108113390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a450600161036a565b505f61036a565b5f306001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000161480156108b857507f000000000000000000000000000000000000000000000000000000000000000046145b156108e257507f000000000000000000000000000000000000000000000000000000000000000090565b61046d604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f610994838361053d565b15610859575f8381526008602090815260408083206001600160a01b0386168085529252808320805460ff1916905551339286917ff6391f5c32d9c69d2a47ea670b442974b53935d1edc7fd64eb21e047a839171b9190a450600161036a565b6001600160a01b038216610a1d5760405163ec442f0560e01b81525f60048201526024016105a3565b610a285f8383610bac565b5050565b606061046d7f0000000000000000000000000000000000000000000000000000000000000000610d0b565b606061046d7f0000000000000000000000000000000000000000000000000000000000000000610d0b565b5f61036a610a8e610860565b8360405161190160f01b8152600281019290925260228201526042902090565b5f5f5f5f610abe88888888610d48565b925092509250610ace8282610e10565b50909695505050505050565b6001600160a01b038416610b035760405163e602df0560e01b81525f60048201526024016105a3565b6001600160a01b038316610b2c57604051634a1406b160e11b81525f60048201526024016105a3565b6001600160a01b038085165f908152600160209081526040808320938716835292905220829055801561045e57826001600160a01b0316846001600160a01b03167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92584604051610b9e91815260200190565b60405180910390a350505050565b6001600160a01b038316610bd6578060025f828254610bcb9190611197565b90915550610c469050565b6001600160a01b0383165f9081526020819052604090205481811015610c285760405163391434e360e21b81526001600160a01b038516600482015260248101829052604481018390526064016105a3565b6001600160a01b0384165f9081526020819052604090209082900390555b6001600160a01b038216610c6257600280548290039055610c80565b6001600160a01b0382165f9081526020819052604090208054820190555b816001600160a01b0316836001600160a01b03167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef83604051610cc591815260200190565b60405180910390a3505050565b610cdc828261053d565b610a285760405163e2517d3f60e01b81526001600160a01b0382166004820152602481018390526044016105a3565b60605f610d1783610ec8565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0841115610d8157505f91506003905082610e06565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015610dd2573d5f5f3e3d5ffd5b5050604051601f1901519150506001600160a01b038116610dfd57505f925060019150829050610e06565b92505f91508190505b9450945094915050565b5f826003811115610e2357610e236111b6565b03610e2c575050565b6001826003811115610e4057610e406111b6565b03610e5e5760405163f645eedf60e01b815260040160405180910390fd5b6002826003811115610e7257610e726111b6565b03610e935760405163fce698f760e01b8152600481018290526024016105a3565b6003826003811115610ea757610ea76111b6565b03610a28576040516335e2f38360e21b8152600481018290526024016105a3565b5f60ff8216601f81111561036a57604051632cd44ac360e21b815260040160405180910390fd5b5f60208284031215610eff575f5ffd5b81356001600160e01b031981168114610f16575f5ffd5b9392505050565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b602081525f610f166020830184610f1d565b80356001600160a01b0381168114610f73575f5ffd5b919050565b5f5f60408385031215610f89575f5ffd5b610f9283610f5d565b946020939093013593505050565b5f5f5f60608486031215610fb2575f5ffd5b610fbb84610f5d565b9250610fc960208501610f5d565b929592945050506040919091013590565b5f60208284031215610fea575f5ffd5b5035919050565b5f5f60408385031215611002575f5ffd5b8235915061101260208401610f5d565b90509250929050565b5f6020828403121561102b575f5ffd5b610f1682610f5d565b60ff60f81b8816815260e060208201525f61105260e0830189610f1d565b82810360408401526110648189610f1d565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b818110156110b957835183526020938401939092019160010161109b565b50909b9a5050505050505050505050565b5f5f5f5f5f5f5f60e0888a0312156110e0575f5ffd5b6110e988610f5d565b96506110f760208901610f5d565b95506040880135945060608801359350608088013560ff8116811461111a575f5ffd5b9699959850939692959460a0840135945060c09093013592915050565b5f5f60408385031215611148575f5ffd5b61115183610f5d565b915061101260208401610f5d565b600181811c9082168061117357607f821691505b60208210810361119157634e487b7160e01b5f52602260045260245ffd5b50919050565b8082018082111561036a57634e487b7160e01b5f52601160045260245ffd5b634e487b7160e01b5f52602160045260245ffdfea164736f6c6343000825000a" as const;
